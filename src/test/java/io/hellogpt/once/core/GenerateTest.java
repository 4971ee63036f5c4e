package io.hellogpt.once.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError.Kind;
import io.hellogpt.once.core.Fact.Ignore.Reason;
import io.hellogpt.once.core.JournalRecord.RunningCall;
import io.hellogpt.once.core.LifecycleEvent.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GenerateTest {
    private static final Instant DEADLINE = Bench.START.plusSeconds(60);

    static Stream<Life> otherLives() {
        return Stream.of(
                new Life(Bench.START.minusSeconds(1), Optional.of(Bench.FINGERPRINT)),
                new Life(Bench.START, Optional.of(new Fingerprint("other"))),
                new Life(Bench.START.minusSeconds(1), Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("otherLives")
    void anAnswerOfAnotherLifeIsIgnored(Life other) {
        Bench bench = new Bench().generating();
        RequestState before = bench.state();

        bench.result(Samples.answer(other, "other"));

        assertThat(bench.ignored()).containsExactly(Reason.OTHER_LIFE);
        assertThat(bench.state()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("otherLives")
    void aStashedAnswerOfAnotherLifeIsDroppedAndTheRequestWaits(Life other) {
        Bench bench = new Bench().result(Samples.answer(other, "other")).arrive();

        assertThat(bench.state()).isInstanceOf(Pending.class);
        assertThat(bench.ignored()).containsExactly(Reason.OTHER_LIFE);
        assertThat(bench.early(Bench.ID)).isEmpty();
    }

    @Test
    void anAnswerOfANewerLifeTakesThePlaceOfAnOlderInTheStashAndNotTheOtherWayRound() {
        Life older = new Life(Bench.START.minusSeconds(1), Optional.of(Bench.FINGERPRINT));

        Bench bench = new Bench().result(Samples.answer(older, "older")).result(Samples.answer(Samples.life(), "mine"));
        bench.result(Samples.answer(older, "older again")).arrive();

        assertThat(bench.snapshot(Bench.ID).orElseThrow().sha256()).isEqualTo("mine");
    }

    @Test
    void anAnswerOfVersion010IsToldByItsReceiveTimeAlone() {
        Bench bench = new Bench().generating().result(Samples.answer(new Life(Bench.START, Optional.empty()), "mine"));

        assertThat(bench.snapshot(Bench.ID).orElseThrow().sha256()).isEqualTo("mine");
    }

    @Test
    void aZombiesHandoverOfACallMadeAgainSinceChangesNothing() {
        Bench bench = new Bench().generating();
        RequestState before = bench.state();

        bench.apply(handover(bench, 1, "zombie", "jvm"));

        assertThat(bench.ignored()).containsExactly(Reason.LATE_HANDOVER);
        assertThat(bench.state()).isEqualTo(before);
    }

    @Test
    void aHandoverOfTheRecordedCallerOrOfALaterAttemptIsTaken() {
        Bench recorded = new Bench().generating();
        recorded.apply(handover(recorded, 1, "jvm", "next"));
        assertThat(recorded.logged(Type.HANDED_OVER)).hasSize(1);

        Bench later = new Bench().generating();
        later.apply(handover(later, 2, "other", "jvm"));
        assertThat(later.logged(Type.HANDED_OVER)).hasSize(1);
    }

    private static List<Fact> handover(Bench bench, int attempt, String instance, String self) {
        RunningCall call = new RunningCall(Bench.ID, attempt, DEADLINE, Optional.of(Samples.life()));
        return bench.generate.onHandover(bench, call, instance, self, bench.moment());
    }

    @Test
    void aHandoverOfAnotherLifeIsIgnored() {
        Bench bench = new Bench().arrive();
        RunningCall call = new RunningCall(
                Bench.ID, 1, DEADLINE, Optional.of(new Life(Bench.START, Optional.of(new Fingerprint("other")))));

        bench.apply(bench.generate.onHandover(bench, call, "other", "jvm", bench.moment()));

        assertThat(bench.ignored()).containsExactly(Reason.OTHER_LIFE);
    }

    @Test
    void callsEndWhenTheNextWouldComeTooLate() {
        Bench bench = new Bench().generating();
        int attempts = 0;
        while (!(bench.state() instanceof Failed)) {
            attempts++;
            bench.after(Duration.ofSeconds(55)).failCall(Kind.RETRYABLE, Optional.empty());
            if (bench.state() instanceof Pending pending) {
                bench.now = pending.dueAt();
                bench.dispatch();
            }
        }
        assertThat(attempts).isEqualTo(4);
        assertThat(((Failed) bench.state()).failure()).satisfies(failure -> {
            assertThat(failure.reason()).isEqualTo(Failure.Reason.MODEL_EXHAUSTED);
            assertThat(failure.detail()).contains("PT3M");
        });
    }

    @Test
    void aRetryAfterBeyondTheLimitEndsTheRequestAtOnce() {
        Bench bench = new Bench().generating().failCall(Kind.RETRYABLE, Optional.of(Duration.ofMinutes(4)));

        assertThat(((Failed) bench.state()).failure().reason()).isEqualTo(Failure.Reason.MODEL_EXHAUSTED);
    }

    @Test
    void waitingForASlotOrForAKeyIsNotTheRequestsFault() {
        Bench bench = new Bench().generating().failCall(Kind.RETRYABLE, Optional.empty());
        bench.after(Duration.ofHours(2)).dispatch().failCall(Kind.RETRYABLE, Optional.empty());
        assertThat(bench.state()).isInstanceOf(Pending.class);

        bench.now = ((Pending) bench.state()).dueAt();
        bench.dispatch().after(Duration.ofHours(1)).failCall(Kind.UNAUTHORIZED, Optional.empty());
        bench.dispatch().failCall(Kind.RETRYABLE, Optional.empty());
        assertThat(bench.state()).isInstanceOf(Pending.class);
        assertThat(((Pending) bench.state()).history().failures()).isEqualTo(3);
    }

    @Test
    void aProcessThatWasDownForADayIsNotTheRequestsFaultEither() {
        Bench bench = new Bench().generating().after(Duration.ofDays(1));

        bench.apply(bench.generate.onCallDeadline((Generating) bench.state(), bench.moment()));

        assertThat(bench.state()).isInstanceOf(Pending.class);
        assertThat(((Pending) bench.state()).history().failures()).isEqualTo(1);
    }

    /** What the store did not hold before has no timers there yet. */
    @Test
    void aRequestThatWasAnsweredBeforeItCameIsSavedAsNew() {
        Bench bench = new Bench().result(Samples.answer(Samples.life(), "mine")).arrive();

        assertThat(bench.facts)
                .filteredOn(Fact.Save.class::isInstance)
                .singleElement()
                .satisfies(save -> assertThat(((Fact.Save) save).previous()).isEmpty());
        assertThat(bench.logged(Type.ACCEPTED)).hasSize(1);
        assertThat(bench.logged(Type.DECIDED))
                .singleElement()
                .satisfies(event -> assertThat(event.from()).contains(RequestState.Status.PENDING));
    }

    @Test
    void aPersonsRetryIsAWholeNewRound() {
        Bench bench = new Bench().generating().failCall(Kind.RETRYABLE, Optional.empty());

        bench.command(OperatorCommand.Verb.RETRY, "");

        assertThat(((Pending) bench.state()).history())
                .isEqualTo(new CallHistory(1, 0, Optional.empty(), Optional.of("failed")));
    }

    /** A retry waits an hour for a slot, and then another process is found to run it: the hour is nobody's failure. */
    @Test
    void theTimeACallHadToWaitIsNotCountedWhenItIsAdopted() {
        Bench bench = new Bench().generating().failCall(Kind.RETRYABLE, Optional.empty());
        bench.now = ((Pending) bench.state()).dueAt().plus(Duration.ofHours(1));

        RunningCall call = new RunningCall(Bench.ID, 2, bench.now.plusSeconds(60), Optional.of(Samples.life()));
        bench.apply(bench.generate.onHandover(bench, call, "other", "jvm", bench.moment()));
        assertThat(bench.state()).isInstanceOf(Generating.class);
        bench.failCall(Kind.RETRYABLE, Optional.empty());
        assertThat(bench.state()).isInstanceOf(Pending.class);
    }
}
