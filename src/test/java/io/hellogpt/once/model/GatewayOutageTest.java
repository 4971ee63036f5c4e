package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.JournalRecord;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A journal that takes nothing, or not this: no answer is lost and nothing piles up. */
class GatewayOutageTest {
    private final GatewayRig rig = new GatewayRig();

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void anAnswerOutlivesAnOutageOfTheJournal() {
        rig.journal.down(new TimeoutException("broker away"));
        String barrier = rig.gateway.openBarrier(0);
        rig.start(0, "a", 1);
        rig.client.answer("a");
        GatewayRig.await(() -> rig.journal.refused() >= 3);
        assertThat(rig.gateway.status().awaitingJournal()).isEqualTo(1);

        rig.journal.up();
        GatewayRig.await(() -> rig.journal.records().size() == 2);
        assertThat(rig.journal.records()).contains(new JournalRecord.Barrier(barrier));
        assertThat(rig.client.calls).hasSize(1);
        assertThat(rig.gateway.status().counters().journalRetries()).isPositive();
    }

    @Test
    void aJournalThatTakesNothingStopsDispatchUntilItDoes() {
        rig.journal.hold();
        rig.start(0, "a", 1);
        rig.client.answer("a");
        GatewayRig.await(() -> rig.journal.records().size() == 1);
        assertThat(rig.gateway.status().dispatching())
                .as("it is given a moment")
                .isTrue();

        Instant since = rig.clock.instant();
        rig.clock.advance(JournalWatch.PATIENCE);
        assertThat(rig.gateway.status().state()).isEqualTo(GatewayStatus.State.JOURNAL_UNAVAILABLE);
        assertThat(rig.gateway.status().since()).isEqualTo(since);
        assertThat(rig.gateway.status().reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("check the brokers"));
        assertThat(rig.reserve()).isFalse();

        rig.journal.acknowledgeAll();
        rig.awaitIdle();
        assertThat(rig.gateway.status().dispatching()).isTrue();
        rig.start(0, "b", 1);
        rig.client.answer("b");
    }

    @Test
    void aJournalThatIsSlowWithOneRecordIsNotUnavailable() {
        rig.journal.hold();
        rig.start(0, "a", 1);
        rig.client.answer("a");
        GatewayRig.await(() -> rig.journal.records().size() == 1);
        rig.clock.advance(JournalWatch.PATIENCE.minusSeconds(1));
        rig.journal.release();
        rig.start(0, "b", 1);
        rig.client.answer("b");
        GatewayRig.await(() -> rig.gateway.status().slotsTaken() == 1);

        rig.clock.advance(JournalWatch.PATIENCE.minusSeconds(1));
        assertThat(rig.gateway.status().dispatching()).isTrue();
    }

    @Test
    void anAnswerNoBrokerTakesFailsTheRequest() {
        JournalWriter picky = (partition, record) -> {
            if (record instanceof JournalRecord.Answered) {
                return CompletableFuture.failedFuture(new RecordTooLargeException("too large"));
            }
            return rig.journal.write(partition, record);
        };
        try (Gateway other = new Gateway("instance-2", rig.client, picky, GatewayRig.SETTINGS, rig.clock)) {
            assertThat(other.reserve(0, GatewayRig.demand())).isTrue();
            other.start(0, Calls.call("a", 1, rig.deadline()));
            rig.client.answer("a");
            GatewayRig.await(() -> rig.journal.records().size() == 1);
        }
        assertThat(rig.error(0).kind()).isEqualTo(CallError.Kind.TOO_LARGE);
    }
}
