package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.Life;
import io.hellogpt.once.core.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatewayTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SteppedClock clock = new SteppedClock();
    private final MemoryJournal journal = new MemoryJournal();
    private final PuppetClient client = new PuppetClient();
    private final GatewaySettings settings =
            new GatewaySettings(2, Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(60), 50, 4);
    private final Gateway gateway = new Gateway("instance-1", client, journal, settings, clock);

    @AfterEach
    void stop() {
        journal.up();
        journal.acknowledgeAll();
        gateway.close();
    }

    @Test
    void anAnswerIsJournaledToTheRequestsPartition() {
        start(3, "a", 2);
        client.answer("a");

        await(() -> journal.written().size() == 1);
        assertThat(journal.written().getFirst())
                .isEqualTo(new MemoryJournal.Written(
                        3,
                        new JournalRecord.Answered(new RequestId("a"), 0, 2, Calls.RECEIVED, PuppetClient.answer())));
    }

    @Test
    void slotsAreBoundedAndFreedByTheAcknowledgement() {
        journal.hold();
        start(0, "a", 1);
        start(0, "b", 1);
        assertThat(gateway.reserve()).isFalse();

        client.answer("a");
        await(() -> gateway.status().awaitingJournal() == 1);
        assertThat(gateway.reserve()).as("answered, not acknowledged").isFalse();

        journal.acknowledgeAll();
        await(gateway::reserve);
        gateway.release();
    }

    @Test
    void aReleasedSlotCanBeReservedAgain() {
        assertThat(gateway.reserve()).isTrue();
        assertThat(gateway.reserve()).isTrue();
        assertThat(gateway.reserve()).isFalse();
        gateway.release();
        assertThat(gateway.reserve()).isTrue();
        gateway.release();
        gateway.release();
    }

    @Test
    void aSecondStartAttachesToTheRunningCallUnderItsOwnAttempt() {
        start(0, "a", 1);
        client.awaitCalls(1);
        start(0, "a", 2);
        client.fail("a", CallError.Kind.RETRYABLE);

        await(() -> journal.records().size() == 1);
        assertThat(((JournalRecord.CallResult) journal.records().getFirst()).attempt())
                .isEqualTo(2);
        assertThat(client.calls).hasSize(1);
        assertThat(gateway.status().counters().attached()).isEqualTo(1);
    }

    @Test
    void anErrorBeingJournaledIsJournaledAgainForTheAttemptThatAttached() {
        journal.hold();
        start(0, "a", 1);
        client.fail("a", CallError.Kind.RETRYABLE);
        await(() -> journal.records().size() == 1);
        start(0, "a", 2);
        journal.acknowledgeAll();

        await(() -> journal.records().size() == 2);
        assertThat(journal.records())
                .extracting(record -> ((JournalRecord.CallResult) record).attempt())
                .containsExactly(1, 2);
        assertThat(client.calls).hasSize(1);
    }

    @Test
    void aJournaledAttemptIsNotMadeAgainButALaterOneIs() {
        start(0, "a", 1);
        client.fail("a", CallError.Kind.RETRYABLE);
        awaitIdle();

        start(0, "a", 1);
        assertThat(gateway.status().counters().attached()).isEqualTo(1);
        start(0, "a", 2);
        client.awaitCalls(2);
        client.answer("a");
        awaitIdle();
    }

    @Test
    void aCancelledCallJournalsNothingAndFreesItsSlot() {
        start(0, "a", 1);
        client.awaitCalls(1);
        gateway.cancel(new RequestId("a"));

        awaitIdle();
        assertThat(journal.records()).isEmpty();
        assertThat(gateway.status().counters().cancelled()).isEqualTo(1);
    }

    @Test
    void aDefectOfAClientIsARetryableError() {
        start(0, "a", 1);
        client.defect("a");

        await(() -> journal.records().size() == 1);
        assertThat(error(0).kind()).isEqualTo(CallError.Kind.RETRYABLE);
    }

    @Test
    void aHandoverNamesTheCallsOfItsPartitionAndTheirAnswersStillArrive() {
        start(0, "a", 1);
        start(1, "b", 1);
        gateway.handover(0);
        gateway.handover(2);

        assertThat(journal.written())
                .containsExactly(new MemoryJournal.Written(
                        0,
                        new JournalRecord.Handover(
                                "instance-1",
                                List.of(new JournalRecord.RunningCall(
                                        new RequestId("a"),
                                        1,
                                        deadline(),
                                        Optional.of(new Life(Calls.RECEIVED, Optional.empty())))))));
        client.answer("a");
        await(() -> journal.written().size() == 2);
        assertThat(journal.written().get(1).partition()).isZero();
    }

    @Test
    void aHandoverWaitsForTheAcknowledgement() throws Exception {
        journal.hold();
        start(0, "a", 1);
        Thread closing = Thread.ofVirtual().start(() -> gateway.handover(0));
        await(() -> journal.records().size() == 1);
        assertThat(closing.isAlive()).isTrue();

        journal.acknowledgeAll();
        assertThat(closing.join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void aBarrierIsUniqueAndWritten() {
        String first = gateway.openBarrier(5);
        String second = gateway.openBarrier(5);

        assertThat(first).isNotEqualTo(second);
        await(() -> journal.written().size() == 2);
        assertThat(journal.written())
                .contains(
                        new MemoryJournal.Written(5, new JournalRecord.Barrier(first)),
                        new MemoryJournal.Written(5, new JournalRecord.Barrier(second)));
    }

    @Test
    void anAnswerOutlivesAnOutageOfTheJournal() {
        journal.down(new TimeoutException("broker away"));
        String barrier = gateway.openBarrier(0);
        start(0, "a", 1);
        client.answer("a");
        await(() -> journal.refused() >= 3);
        assertThat(gateway.status().awaitingJournal()).isEqualTo(1);

        journal.up();
        await(() -> journal.records().size() == 2);
        assertThat(journal.records()).contains(new JournalRecord.Barrier(barrier));
        assertThat(client.calls).hasSize(1);
        assertThat(gateway.status().counters().journalRetries()).isPositive();
    }

    @Test
    void aJournalThatTakesNothingStopsDispatchUntilItDoes() {
        journal.hold();
        start(0, "a", 1);
        client.answer("a");
        await(() -> journal.records().size() == 1);
        assertThat(gateway.status().dispatching()).as("it is given a moment").isTrue();

        Instant since = clock.instant();
        clock.advance(JournalWatch.PATIENCE);
        assertThat(gateway.status().state()).isEqualTo(GatewayStatus.State.JOURNAL_UNAVAILABLE);
        assertThat(gateway.status().since()).isEqualTo(since);
        assertThat(gateway.status().reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("check the brokers"));
        assertThat(gateway.reserve()).isFalse();

        journal.acknowledgeAll();
        awaitIdle();
        assertThat(gateway.status().dispatching()).isTrue();
        start(0, "b", 1);
        client.answer("b");
    }

    @Test
    void aJournalThatIsSlowWithOneRecordIsNotUnavailable() {
        journal.hold();
        start(0, "a", 1);
        client.answer("a");
        await(() -> journal.records().size() == 1);
        clock.advance(JournalWatch.PATIENCE.minusSeconds(1));
        journal.release();
        start(0, "b", 1);
        client.answer("b");
        await(() -> gateway.status().slotsTaken() == 1);

        clock.advance(JournalWatch.PATIENCE.minusSeconds(1));
        assertThat(gateway.status().dispatching()).isTrue();
    }

    @Test
    void anAnswerNoBrokerTakesFailsTheRequest() {
        JournalWriter picky = (partition, record) -> {
            if (record instanceof JournalRecord.Answered) {
                return CompletableFuture.failedFuture(new RecordTooLargeException("too large"));
            }
            return journal.write(partition, record);
        };
        try (Gateway other = new Gateway("instance-2", client, picky, settings, clock)) {
            assertThat(other.reserve()).isTrue();
            other.start(0, Calls.call("a", 1, deadline()));
            client.answer("a");
            await(() -> journal.records().size() == 1);
        }
        assertThat(error(0).kind()).isEqualTo(CallError.Kind.TOO_LARGE);
    }

    @Test
    void aRefusedKeyPausesDispatchUntilAProbeSucceeds() {
        start(0, "a", 1);
        client.fail("a", CallError.Kind.UNAUTHORIZED);
        awaitIdle();
        assertThat(gateway.status().state()).isEqualTo(GatewayStatus.State.PAUSED_UNAUTHORIZED);
        assertThat(gateway.status().reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("renew the key"));
        assertThat(gateway.reserve()).isFalse();

        clock.advance(Duration.ofSeconds(1));
        start(0, "b", 1);
        assertThat(gateway.reserve()).as("one probe at a time").isFalse();
        client.fail("b", CallError.Kind.UNAUTHORIZED);
        awaitIdle();
        clock.advance(Duration.ofSeconds(1));
        assertThat(gateway.reserve()).as("the interval has doubled").isFalse();

        clock.advance(Duration.ofSeconds(1));
        start(0, "c", 1);
        client.answer("c");
        awaitIdle();
        assertThat(gateway.status().dispatching()).isTrue();
        start(0, "d", 1);
    }

    @Test
    void aResultFromBeforeThePauseDoesNotResumeIt() {
        start(0, "old", 1);
        start(0, "a", 1);
        client.fail("a", CallError.Kind.UNAUTHORIZED);
        await(() -> gateway.status().state() == GatewayStatus.State.PAUSED_UNAUTHORIZED);
        client.answer("old");
        awaitIdle();

        assertThat(gateway.status().state()).isEqualTo(GatewayStatus.State.PAUSED_UNAUTHORIZED);
    }

    @Test
    void aProbeThatIsNotUsedIsGivenOutAgain() {
        start(0, "a", 1);
        client.fail("a", CallError.Kind.UNAUTHORIZED);
        awaitIdle();
        clock.advance(Duration.ofSeconds(1));
        assertThat(gateway.reserve()).isTrue();
        gateway.release();

        assertThat(gateway.reserve()).isTrue();
        gateway.release();
    }

    @Test
    void aDeadProviderOpensTheCircuitAndAProbeClosesIt() {
        for (int i = 0; i < 4; i++) {
            start(0, "a" + i, 1);
            client.fail("a" + i, CallError.Kind.RETRYABLE);
            awaitIdle();
        }
        assertThat(gateway.status().state()).isEqualTo(GatewayStatus.State.CIRCUIT_OPEN);
        assertThat(gateway.reserve()).isFalse();

        clock.advance(Duration.ofMillis(1001));
        start(0, "probe", 1);
        assertThat(gateway.reserve()).as("one probe at a time").isFalse();
        client.answer("probe");
        awaitIdle();
        assertThat(gateway.status().dispatching()).isTrue();
    }

    @Test
    void callsThatFailWhileTheCircuitIsOpenDoNotCount() {
        for (int i = 0; i < 4; i++) {
            start(0, "a" + i, 1);
            client.fail("a" + i, CallError.Kind.RETRYABLE);
            awaitIdle();
        }
        clock.advance(Duration.ofMillis(1001));
        start(0, "probe", 1);
        Optional<Duration> retryAfter = Optional.of(Duration.ofSeconds(90));
        client.fail("probe", new CallError(CallError.Kind.RETRYABLE, "429", retryAfter));
        awaitIdle();

        assertThat(error(4).retryAfter()).as("what the provider asked for").isEqualTo(retryAfter);
        assertThat(error(0).kind()).as("before it opened").isEqualTo(CallError.Kind.RETRYABLE);
        assertThat(error(4).kind()).as("the probe").isEqualTo(CallError.Kind.ABANDONED);
        clock.advance(Duration.ofMillis(1001));
        assertThat(gateway.reserve()).as("the wait has doubled").isFalse();
    }

    @Test
    void rejectionsDoNotOpenTheCircuit() {
        for (int i = 0; i < 8; i++) {
            start(0, "a" + i, 1);
            client.fail("a" + i, CallError.Kind.REJECTED);
            awaitIdle();
        }
        assertThat(gateway.status().dispatching()).isTrue();
    }

    @Test
    void aDrainStopsDispatchAndWaitsForRunningCalls() throws Exception {
        start(0, "a", 1);
        assertThat(gateway.drain(Duration.ZERO)).isFalse();
        assertThat(gateway.reserve()).isFalse();
        assertThat(gateway.status().state()).isEqualTo(GatewayStatus.State.DRAINING);

        client.answer("a");
        assertThat(gateway.drain(Duration.ofSeconds(10))).isTrue();
        assertThat(journal.records()).hasSize(1);
    }

    @Test
    void closingJournalsWhatItGaveUpSoThatNobodyWaitsForIt() {
        start(0, "a", 1);
        client.awaitCalls(1);
        gateway.close();

        assertThat(error(0).kind()).isEqualTo(CallError.Kind.ABANDONED);
        assertThat(client.closed).isTrue();
        assertThat(gateway.reserve()).isFalse();
    }

    private void start(int partition, String id, int attempt) {
        assertThat(gateway.reserve()).isTrue();
        gateway.start(partition, Calls.call(id, attempt, deadline()));
    }

    private Instant deadline() {
        return clock.instant().plus(MINUTE);
    }

    private CallError error(int index) {
        return ((JournalRecord.CallFailed) journal.records().get(index)).error();
    }

    private void awaitIdle() {
        await(() -> gateway.status().slotsTaken() == 0);
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }
}
