package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.Life;
import io.hellogpt.once.core.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is left behind for the next owner of a partition, and how a gateway ends. */
class GatewayHandoverTest {
    private final GatewayRig rig = new GatewayRig();

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void aHandoverNamesTheCallsOfItsPartitionAndTheirAnswersStillArrive() {
        rig.start(0, "a", 1);
        rig.start(1, "b", 1);
        rig.gateway.handover(0);
        rig.gateway.handover(2);

        assertThat(rig.journal.written())
                .containsExactly(new MemoryJournal.Written(
                        0,
                        new JournalRecord.Handover(
                                "instance-1",
                                List.of(new JournalRecord.RunningCall(
                                        new RequestId("a"),
                                        1,
                                        rig.deadline(),
                                        Optional.of(new Life(Calls.RECEIVED, Optional.empty())))))));
        rig.client.answer("a");
        GatewayRig.await(() -> rig.journal.written().size() == 2);
        assertThat(rig.journal.written().get(1).partition()).isZero();
    }

    @Test
    void aHandoverWaitsForTheAcknowledgement() throws Exception {
        rig.journal.hold();
        rig.start(0, "a", 1);
        Thread closing = Thread.ofVirtual().start(() -> rig.gateway.handover(0));
        GatewayRig.await(() -> rig.journal.records().size() == 1);
        assertThat(closing.isAlive()).isTrue();

        rig.journal.acknowledgeAll();
        assertThat(closing.join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void aBarrierIsUniqueAndWritten() {
        String first = rig.gateway.openBarrier(5);
        String second = rig.gateway.openBarrier(5);

        assertThat(first).isNotEqualTo(second);
        GatewayRig.await(() -> rig.journal.written().size() == 2);
        assertThat(rig.journal.written())
                .contains(
                        new MemoryJournal.Written(5, new JournalRecord.Barrier(first)),
                        new MemoryJournal.Written(5, new JournalRecord.Barrier(second)));
    }

    @Test
    void aDrainStopsDispatchAndWaitsForRunningCalls() throws Exception {
        rig.start(0, "a", 1);
        assertThat(rig.gateway.drain(Duration.ZERO)).isFalse();
        assertThat(rig.reserve()).isFalse();
        assertThat(rig.gateway.status().state()).isEqualTo(GatewayStatus.State.DRAINING);

        rig.client.answer("a");
        assertThat(rig.gateway.drain(Duration.ofSeconds(10))).isTrue();
        assertThat(rig.journal.records()).hasSize(1);
    }

    @Test
    void closingJournalsWhatItGaveUpSoThatNobodyWaitsForIt() {
        rig.start(0, "a", 1);
        rig.client.awaitCalls(1);
        rig.gateway.close();

        assertThat(rig.error(0).kind()).isEqualTo(CallError.Kind.ABANDONED);
        assertThat(rig.client.closed).isTrue();
        assertThat(rig.reserve()).isFalse();
    }
}
