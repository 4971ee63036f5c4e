package io.hellogpt.once.schema;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.CallHistory;
import io.hellogpt.once.core.CallInFlight;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.Compensating;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Hold;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.schema.avro.StoredState;
import java.util.List;

/** States to what the store keeps of them. */
final class StateWriter {
    private StateWriter() {}

    static StoredState toAvro(RequestState state) {
        StoredState avro = identified(state);
        switch (state) {
            case Pending pending -> fill(avro, pending);
            case Generating generating -> fill(avro, generating);
            case Acknowledged acknowledged -> fill(avro, acknowledged);
            case Held held -> fill(avro, held);
            case Compensating compensating -> fill(avro, compensating);
            case Committed committed -> fill(avro, committed);
            case Failed failed -> fill(avro, failed);
        }
        return avro;
    }

    private static StoredState identified(RequestState state) {
        Identity identity = state.identity();
        StoredState avro = new StoredState();
        avro.setStatus(StateCodec.STATUSES.avro(state.status()));
        avro.setRequestId(identity.id().value());
        avro.setFingerprint(identity.fingerprint().hex());
        avro.setSourceTopic(identity.source().topic());
        avro.setSourcePartition(identity.source().partition());
        avro.setSourceOffset(identity.source().offset());
        avro.setReceivedAt(identity.receivedAt());
        avro.setDeadline(identity.deadline().orElse(null));
        avro.setCommandIds(identity.commands());
        identity.trace().ifPresent(trace -> {
            avro.setTraceparent(trace.traceparent());
            avro.setTracestate(trace.tracestate().orElse(null));
        });
        avro.setSteps(List.of());
        return avro;
    }

    private static void fill(StoredState avro, Pending pending) {
        avro.setRequest(RequestFields.toAvro(pending.request()));
        fill(avro, pending.history());
        avro.setDueAt(pending.dueAt());
    }

    private static void fill(StoredState avro, Generating generating) {
        avro.setRequest(RequestFields.toAvro(generating.request()));
        fill(avro, generating.history());
        CallInFlight call = generating.call();
        avro.setStartedAt(call.startedAt());
        avro.setCallDeadline(call.deadline());
        avro.setCaller(call.caller());
        avro.setHandedOver(call.handedOver());
    }

    private static void fill(StoredState avro, CallHistory history) {
        avro.setCalls(history.calls());
        avro.setFailures(history.failures());
        avro.setFailingSince(history.failingSince().orElse(null));
        avro.setLastError(history.lastError().orElse(null));
    }

    private static void fill(StoredState avro, Acknowledged acknowledged) {
        avro.setSnapshotSha256(acknowledged.snapshot());
        avro.setDecision(acknowledged.decision());
        avro.setSteps(PlanFields.toAvro(acknowledged.plan()));
        avro.setStartedAt(acknowledged.acknowledgedAt());
    }

    private static void fill(StoredState avro, Held held) {
        Hold hold = held.hold();
        avro.setHoldReason(hold.reason().name());
        avro.setHoldDetail(hold.detail());
        hold.failure().ifPresent(failure -> fill(avro, failure));
        avro.setRequest(held.request().map(RequestFields::toAvro).orElse(null));
        avro.setSnapshotSha256(held.snapshot());
        avro.setSteps(PlanFields.toAvro(held.plan()));
        avro.setStartedAt(held.heldAt());
        avro.setDueAt(held.reportAt());
    }

    private static void fill(StoredState avro, Compensating compensating) {
        fill(avro, compensating.failure());
        avro.setSnapshotSha256(compensating.snapshot());
        avro.setSteps(PlanFields.toAvro(compensating.plan()));
    }

    private static void fill(StoredState avro, Committed committed) {
        avro.setSnapshotSha256(committed.snapshot());
        avro.setDecision(committed.decision());
        avro.setSteps(PlanFields.toAvro(committed.plan()));
        avro.setEndedAt(committed.endedAt());
        avro.setExpiresAt(committed.expiresAt());
    }

    private static void fill(StoredState avro, Failed failed) {
        fill(avro, failed.failure());
        avro.setSnapshotSha256(failed.snapshot().orElse(null));
        avro.setSteps(PlanFields.toAvro(failed.plan()));
        avro.setEndedAt(failed.endedAt());
        avro.setExpiresAt(failed.expiresAt());
    }

    private static void fill(StoredState avro, Failure failure) {
        avro.setFailureReason(failure.reason().name());
        avro.setFailureDetail(failure.detail());
    }
}
