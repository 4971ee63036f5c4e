package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.RequestId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The slots of a gateway, and the life of one call. */
class GatewayCallTest {
    private final GatewayRig rig = new GatewayRig();

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void anAnswerIsJournaledToTheRequestsPartition() {
        rig.start(3, "a", 2);
        rig.client.answer("a");

        GatewayRig.await(() -> rig.journal.written().size() == 1);
        assertThat(rig.journal.written().getFirst())
                .isEqualTo(new MemoryJournal.Written(
                        3,
                        new JournalRecord.Answered(new RequestId("a"), 0, 2, Calls.RECEIVED, PuppetClient.answer())));
    }

    @Test
    void slotsAreBoundedAndFreedByTheAcknowledgement() {
        rig.journal.hold();
        rig.start(0, "a", 1);
        rig.start(0, "b", 1);
        assertThat(rig.reserve()).isFalse();

        rig.client.answer("a");
        GatewayRig.await(() -> rig.gateway.status().awaitingJournal() == 1);
        assertThat(rig.reserve()).as("answered, not acknowledged").isFalse();

        rig.journal.acknowledgeAll();
        GatewayRig.await(rig::reserve);
        rig.release();
    }

    @Test
    void aReleasedSlotCanBeReservedAgain() {
        assertThat(rig.reserve()).isTrue();
        assertThat(rig.reserve()).isTrue();
        assertThat(rig.reserve()).isFalse();
        rig.release();
        assertThat(rig.reserve()).isTrue();
        rig.release();
        rig.release();
    }

    @Test
    void aSecondStartAttachesToTheRunningCallUnderItsOwnAttempt() {
        rig.start(0, "a", 1);
        rig.client.awaitCalls(1);
        rig.start(0, "a", 2);
        rig.client.fail("a", CallError.Kind.RETRYABLE);

        GatewayRig.await(() -> rig.journal.records().size() == 1);
        assertThat(((JournalRecord.CallResult) rig.journal.records().getFirst()).attempt())
                .isEqualTo(2);
        assertThat(rig.client.calls).hasSize(1);
        assertThat(rig.gateway.status().counters().attached()).isEqualTo(1);
    }

    @Test
    void anErrorBeingJournaledIsJournaledAgainForTheAttemptThatAttached() {
        rig.journal.hold();
        rig.start(0, "a", 1);
        rig.client.fail("a", CallError.Kind.RETRYABLE);
        GatewayRig.await(() -> rig.journal.records().size() == 1);
        rig.start(0, "a", 2);
        rig.journal.acknowledgeAll();

        GatewayRig.await(() -> rig.journal.records().size() == 2);
        assertThat(rig.journal.records())
                .extracting(record -> ((JournalRecord.CallResult) record).attempt())
                .containsExactly(1, 2);
        assertThat(rig.client.calls).hasSize(1);
    }

    @Test
    void aJournaledAttemptIsNotMadeAgainButALaterOneIs() {
        rig.start(0, "a", 1);
        rig.client.fail("a", CallError.Kind.RETRYABLE);
        rig.awaitIdle();

        rig.start(0, "a", 1);
        assertThat(rig.gateway.status().counters().attached()).isEqualTo(1);
        rig.start(0, "a", 2);
        rig.client.awaitCalls(2);
        rig.client.answer("a");
        rig.awaitIdle();
    }

    @Test
    void aCancelledCallJournalsNothingAndFreesItsSlot() {
        rig.start(0, "a", 1);
        rig.client.awaitCalls(1);
        rig.gateway.cancel(new RequestId("a"));

        rig.awaitIdle();
        assertThat(rig.journal.records()).isEmpty();
        assertThat(rig.gateway.status().counters().cancelled()).isEqualTo(1);
    }

    @Test
    void aDefectOfAClientIsARetryableError() {
        rig.start(0, "a", 1);
        rig.client.defect("a");

        GatewayRig.await(() -> rig.journal.records().size() == 1);
        assertThat(rig.error(0).kind()).isEqualTo(CallError.Kind.RETRYABLE);
    }
}
