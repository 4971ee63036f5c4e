package io.hellogpt.once.schema;

import static io.hellogpt.once.schema.Examples.ID;
import static io.hellogpt.once.schema.Examples.T0;
import static io.hellogpt.once.schema.Examples.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Compensating;
import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Hold;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.JournalRecord.Answered;
import io.hellogpt.once.core.JournalRecord.Barrier;
import io.hellogpt.once.core.JournalRecord.CallFailed;
import io.hellogpt.once.core.JournalRecord.CallResult;
import io.hellogpt.once.core.JournalRecord.Handover;
import io.hellogpt.once.core.JournalRecord.RunningCall;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CodecsTest {
    @ParameterizedTest
    @MethodSource("io.hellogpt.once.schema.Examples#states")
    void aStateComesBackAsItWas(RequestState state) {
        assertSurvives(Codecs.STATE, state);
    }

    @Test
    void everyStateIsAmongTheExamples() {
        assertThat(Examples.states().map(RequestState::status).distinct())
                .containsExactlyInAnyOrder(RequestState.Status.values());
    }

    @ParameterizedTest
    @EnumSource
    void everyReasonOfAHoldComesBack(Hold.Reason reason) {
        assertSurvives(
                Codecs.STATE,
                new Held(
                        Examples.identity(),
                        new Hold(reason, "detail", Optional.empty()),
                        Optional.empty(),
                        Examples.SHA,
                        Examples.plan(),
                        at(1),
                        at(2)));
    }

    @ParameterizedTest
    @EnumSource
    void everyReasonOfAFailureComesBack(Failure.Reason reason) {
        assertSurvives(
                Codecs.STATE,
                new Compensating(Examples.identity(), new Failure(reason, "detail"), Examples.SHA, Examples.plan()));
    }

    @ParameterizedTest
    @MethodSource("journal")
    void aJournalRecordComesBackAsItWas(JournalRecord record) {
        assertSurvives(Codecs.JOURNAL, record);
    }

    static Stream<JournalRecord> journal() {
        return Stream.concat(
                Stream.of(
                        new Answered(ID, 0, 2, Examples.life(), Examples.answer()),
                        new Answered(ID, 0, 1, T0, Examples.answer(new byte[] {0, -1, (byte) 0xC3, 1})),
                        new Barrier("barrier-1"),
                        new Handover("node-1", List.of()),
                        new Handover(
                                "node-1",
                                List.of(
                                        new RunningCall(ID, 1, at(60)),
                                        new RunningCall(new RequestId("b"), 2, at(61), Optional.of(Examples.life()))))),
                Stream.of(CallError.Kind.values())
                        .map(kind -> new CallFailed(
                                ID, 0, 3, Examples.life(), new CallError(kind, "why", Optional.empty()), at(4))));
    }

    @Test
    void aSnapshotComesBackAsItWas() {
        assertSurvives(Codecs.SNAPSHOT, Examples.snapshot());
        assertSurvives(Codecs.SNAPSHOT, new Snapshot(ID, 1, 1, Examples.answer(new byte[0])));
    }

    @Test
    void anEffectComesBackAsItWas() {
        Effect effect = new Effect(new EffectId(ID, 0, 2, false), "sign", 1, "signatures", 1, "{}", at(3), T0);
        assertSurvives(Codecs.EFFECT, effect);
        assertSurvives(
                Codecs.EFFECT,
                new Effect(new EffectId(ID, 0, 2, true), "sign", 1, "signatures", 4, "{\"a\":1}", at(3), T0, true));
    }

    @ParameterizedTest
    @EnumSource
    void anOutcomeComesBackAsItWas(EffectOutcome.Result result) {
        assertSurvives(
                Codecs.EFFECT_OUTCOME, outcome(result, Optional.of(Duration.ofMillis(1500)), Optional.of(at(99))));
        assertSurvives(Codecs.EFFECT_OUTCOME, outcome(result, Optional.empty(), Optional.empty()));
        assertSurvives(
                Codecs.EFFECT_OUTCOME,
                EffectOutcome.callback(
                        new EffectId(ID, 0, 1, false), result, "told", Optional.of("ref"), "event-1", at(5), T0));
    }

    @ParameterizedTest
    @EnumSource
    void aCommandComesBackAsItWas(OperatorCommand.Verb verb) {
        EffectId effect = new EffectId(ID, 0, 1, false);
        assertSurvives(Codecs.COMMAND, new OperatorCommand("c-1", ID, verb, Optional.of(effect), "ann", "seen", T0));
        assertSurvives(Codecs.COMMAND, new OperatorCommand("c-1", ID, verb, Optional.empty(), "ann", "seen", T0));
    }

    @Test
    void anEarlyResponseComesBackAsItWas() {
        journal()
                .flatMap(record -> record instanceof CallResult result ? Stream.of(result) : Stream.empty())
                .forEach(result -> assertSurvives(Codecs.EARLY_RESPONSE, new EarlyResponse.Result(result, at(600))));
        assertSurvives(
                Codecs.EARLY_RESPONSE, new EarlyResponse.Running(new RunningCall(ID, 1, at(60)), "node-1", at(600)));
    }

    @Test
    void whatIsFinerThanAMillisecondIsCutOff() {
        Instant fine = Instant.parse("2026-03-01T12:00:00.123999Z");
        OperatorCommand command =
                new OperatorCommand("c-1", ID, OperatorCommand.Verb.RETRY, Optional.empty(), "ann", "seen", fine);

        assertThat(Codecs.COMMAND.decode(Codecs.COMMAND.encode(command)).at())
                .isEqualTo(Instant.parse("2026-03-01T12:00:00.123Z"));

        EffectOutcome outcome = outcome(EffectOutcome.Result.AWAITING_CALLBACK, Optional.empty(), Optional.of(fine));
        assertThat(Codecs.EFFECT_OUTCOME
                        .decode(Codecs.EFFECT_OUTCOME.encode(outcome))
                        .deadline())
                .contains(Instant.parse("2026-03-01T12:00:00.123Z"));
    }

    @Test
    void anAbsurdRetryAfterBecomesTheLongestThatCanBeWritten() {
        EffectOutcome outcome = outcome(
                EffectOutcome.Result.RETRYABLE, Optional.of(Duration.ofSeconds(Long.MAX_VALUE)), Optional.empty());

        assertThat(Codecs.EFFECT_OUTCOME
                        .decode(Codecs.EFFECT_OUTCOME.encode(outcome))
                        .retryAfter())
                .contains(Duration.ofMillis(Long.MAX_VALUE));
    }

    @Test
    void theSameValueGivesTheSameBytes() {
        Examples.states()
                .forEach(state -> assertThat(Codecs.STATE.encode(state)).isEqualTo(Codecs.STATE.encode(state)));
    }

    @Test
    void oneCodecServesManyThreads() throws Exception {
        List<RequestState> states = Examples.states().toList();
        Callable<Void> work = () -> {
            for (int i = 0; i < 100; i++) {
                assertSurvives(Codecs.STATE, states.get(i % states.size()));
            }
            return null;
        };
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (Future<Void> done :
                    threads.invokeAll(IntStream.range(0, 4).mapToObj(i -> work).toList())) {
                done.get();
            }
        }
    }

    @Test
    void bytesOfAnotherTypeAreRefused() {
        byte[] snapshot = Codecs.SNAPSHOT.encode(Examples.snapshot());

        assertThatThrownBy(() -> Codecs.STATE.decode(snapshot))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("not a known version of StoredState");
    }

    @Test
    void bytesThatAreNoRecordAreRefused() {
        List<byte[]> noRecords = new ArrayList<>(List.of(new byte[0], "{}".getBytes(), new byte[] {(byte) 0xC3, 1}));
        noRecords.add(null);
        assertThat(noRecords)
                .allSatisfy(bytes -> assertThatThrownBy(() -> Codecs.SNAPSHOT.decode(bytes))
                        .isInstanceOf(CodecException.class)
                        .hasMessageContaining("not a Snapshot"));
    }

    @Test
    void aTruncatedRecordIsRefusedWhereverItIsCut() {
        byte[] whole = Codecs.STATE.encode(Examples.states().findFirst().orElseThrow());
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> Codecs.STATE.decode(cut))
                    .as("cut at %d", length)
                    .isInstanceOf(CodecException.class);
        }
    }

    @Test
    void bytesAfterTheRecordAreRefused() {
        byte[] whole = Codecs.SNAPSHOT.encode(Examples.snapshot());

        assertThatThrownBy(() -> Codecs.SNAPSHOT.decode(Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("left over");
    }

    private static EffectOutcome outcome(
            EffectOutcome.Result result, Optional<Duration> retryAfter, Optional<Instant> deadline) {
        return new EffectOutcome(
                new EffectId(ID, 0, 1, true),
                2,
                result,
                "detail",
                retryAfter.map(after -> "ref"),
                retryAfter,
                deadline,
                at(5),
                T0,
                result == EffectOutcome.Result.RETRYABLE);
    }

    /** Field by field, since an answer is equal to another by its digest alone. */
    private static <T> void assertSurvives(Codec<T> codec, T value) {
        assertThat(codec.decode(codec.encode(value)))
                .usingRecursiveComparison()
                .withStrictTypeChecking()
                .isEqualTo(value);
    }
}
