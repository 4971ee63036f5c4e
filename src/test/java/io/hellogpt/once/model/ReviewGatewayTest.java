package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.ModelCall;
import java.time.Duration;
import org.apache.kafka.common.errors.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Findings of the review: each test states what must hold and fails today. */
class ReviewGatewayTest {
    private final SteppedClock clock = new SteppedClock();
    private final MemoryJournal journal = new MemoryJournal();
    private final PuppetClient client = new PuppetClient();
    private final GatewaySettings settings =
            new GatewaySettings(2, Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(60), 50, 4);

    /** F8: the journal is away past the call's deadline; once it has the answer, the overdue timer must not buy another. */
    @Test
    void anAnswerJournaledAfterItsDeadlineIsStillRemembered() {
        Gateway gateway = new Gateway("i", client, journal, settings, clock);
        assertThat(gateway.reserve()).isTrue();
        gateway.start(0, Calls.call("a", 1, clock.instant().plus(Duration.ofMinutes(2))));
        client.awaitCalls(1);
        journal.down(new TimeoutException("away"));
        client.answer("a");
        Awaitility.await().until(() -> journal.refused() > 0);
        clock.advance(Duration.ofMinutes(3));
        journal.up();
        Awaitility.await().until(() -> journal.records().size() == 1 && gateway.status().slotsTaken() == 0);

        // The answer is in the journal and not read yet; the timer of the call's deadline is looked at first.
        assertThat(gateway.reserve()).isTrue();
        gateway.start(0, Calls.call("a", 2, clock.instant().plus(Duration.ofMinutes(2))));
        assertThat(gateway.status().counters().attached()).as("the paid answer counts").isEqualTo(1);
        client.answer("a");
        gateway.close();
    }

    /** F9: an Error on the call's thread must not leave an entry behind that swallows every later start. */
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
                settings,
                clock);
        assertThat(gateway.reserve()).isTrue();
        gateway.start(0, Calls.call("a", 1, clock.instant().plus(Duration.ofMinutes(2))));
        Awaitility.await().until(() -> gateway.status().slotsTaken() == 0);
        assertThat(journal.records()).as("the failure is journaled").hasSize(1);
        gateway.close();
    }
}
