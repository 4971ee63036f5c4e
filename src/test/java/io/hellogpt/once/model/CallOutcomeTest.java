package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelCall;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Every call ends in the journal, whatever becomes of its thread, and is remembered until its result can have been read. */
class CallOutcomeTest {
    private final SteppedClock clock = new SteppedClock();
    private final MemoryJournal journal = new MemoryJournal();
    private final PuppetClient client = new PuppetClient();

    /** The journal is away past the call's deadline; once it has the answer, the overdue timer must not buy another. */
    @Test
    void anAnswerJournaledAfterItsDeadlineIsStillRemembered() {
        Gateway gateway = new Gateway("i", client, journal, GatewayRig.SETTINGS, clock);
        assertThat(gateway.reserve(0, GatewayRig.demand())).isTrue();
        gateway.start(0, Calls.call("a", 1, clock.instant().plus(Duration.ofMinutes(2))));
        client.awaitCalls(1);
        journal.down(new TimeoutException("away"));
        client.answer("a");
        await(() -> journal.refused() > 0);
        clock.advance(Duration.ofMinutes(3));
        journal.up();
        Awaitility.await()
                .until(() -> journal.records().size() == 1 && gateway.status().slotsTaken() == 0);

        // The answer is in the journal and not read yet; the timer of the call's deadline is looked at first.
        assertThat(gateway.reserve(0, GatewayRig.demand())).isTrue();
        gateway.start(0, Calls.call("a", 2, clock.instant().plus(Duration.ofMinutes(2))));
        assertThat(gateway.status().counters().attached())
                .as("the paid answer counts")
                .isEqualTo(1);
        assertThat(client.calls).hasSize(1);
        gateway.close();
    }

    /** An Error on the call's thread must not leave an entry behind that swallows every later start. */
    @Test
    void anErrorOfTheJvmOnACallsThreadDoesNotBlockItsRequest() {
        Gateway gateway = new Gateway(
                "i",
                new ModelClient() {
                    private int asked;

                    @Override
                    public synchronized Answer complete(ModelCall call) {
                        if (asked++ == 0) {
                            throw new StackOverflowError("of a client's parser");
                        }
                        return PuppetClient.answer();
                    }

                    @Override
                    public void close() {}
                },
                journal,
                GatewayRig.SETTINGS,
                clock);
        assertThat(gateway.reserve(0, GatewayRig.demand())).isTrue();
        gateway.start(0, Calls.call("a", 1, clock.instant().plus(Duration.ofMinutes(2))));
        await(() -> gateway.status().slotsTaken() == 0);
        assertThat(journal.records()).as("the failure is journaled").hasSize(1);
        assertThat(error(0).kind()).isEqualTo(CallError.Kind.RETRYABLE);

        assertThat(gateway.reserve(0, GatewayRig.demand())).isTrue();
        gateway.start(0, Calls.call("a", 2, clock.instant().plus(Duration.ofMinutes(2))));
        await(() -> gateway.status().slotsTaken() == 0);
        assertThat(journal.records()).as("the next attempt is made").hasSize(2);
        gateway.close();
    }

    @Test
    void anAnswerThatCannotBeEncodedIsARetryableError() {
        JournalWriter picky = (partition, record) -> record instanceof JournalRecord.Answered
                ? CompletableFuture.failedFuture(new SerializationException("a value out of range"))
                : journal.write(partition, record);
        try (Gateway gateway = new Gateway("i", client, picky, GatewayRig.SETTINGS, clock)) {
            answerOnce(gateway);
        }
        assertThat(error(0).kind()).isEqualTo(CallError.Kind.RETRYABLE);
    }

    @Test
    void aResultThatCannotBeWrittenInAnyFormFreesItsSlotAndItsRequest() {
        JournalWriter broken =
                (partition, record) -> CompletableFuture.failedFuture(new RecordTooLargeException("any is"));
        try (Gateway gateway = new Gateway("i", client, broken, GatewayRig.SETTINGS, clock)) {
            answerOnce(gateway);
            answerOnce(gateway);
        }
        assertThat(client.calls).hasSize(2);
    }

    @Test
    void aWriterThatThrowsFreesTheSlotAndTheRequest() {
        JournalWriter broken = (partition, record) -> {
            throw new IllegalArgumentException("a defect");
        };
        try (Gateway gateway = new Gateway("i", client, broken, GatewayRig.SETTINGS, clock)) {
            answerOnce(gateway);
            answerOnce(gateway);
        }
        assertThat(client.calls).hasSize(2);
    }

    private void answerOnce(Gateway gateway) {
        assertThat(gateway.reserve(0, GatewayRig.demand())).isTrue();
        gateway.start(0, Calls.call("a", 1, clock.instant().plus(Duration.ofMinutes(2))));
        client.answer("a");
        await(() -> gateway.status().slotsTaken() == 0);
    }

    /** The thread of a call that dies is what some of these tests are about: it must not fail them. */
    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .dontCatchUncaughtExceptions()
                .atMost(Duration.ofSeconds(10))
                .until(condition);
    }

    private CallError error(int index) {
        return ((JournalRecord.CallFailed) journal.records().get(index)).error();
    }
}
