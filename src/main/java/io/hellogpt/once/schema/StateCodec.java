package io.hellogpt.once.schema;

import static io.hellogpt.once.schema.Nullable.required;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.CallHistory;
import io.hellogpt.once.core.CallInFlight;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.Compensating;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Hold;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TraceContext;
import io.hellogpt.once.schema.avro.RequestStatus;
import io.hellogpt.once.schema.avro.StoredState;
import java.util.Optional;

/** States, in the store {@code requests-by-id}. */
final class StateCodec {
    static final Symbols<RequestState.Status, RequestStatus> STATUSES =
            new Symbols<>("state of a request", RequestState.Status.class, RequestStatus.class);

    private final StoredState avro;
    private final RequestState.Status status;
    private final Identity identity;
    private final EffectPlan plan;

    private StateCodec(StoredState avro) {
        this.avro = avro;
        this.status = STATUSES.core(avro.getStatus());
        this.identity = new Identity(
                new RequestId(avro.getRequestId()),
                new Fingerprint(avro.getFingerprint()),
                new SourcePosition(avro.getSourceTopic(), avro.getSourcePartition(), avro.getSourceOffset()),
                avro.getReceivedAt(),
                Optional.ofNullable(avro.getDeadline()),
                avro.getCommandIds(),
                Optional.ofNullable(avro.getTraceparent())
                        .map(parent -> new TraceContext(parent, Optional.ofNullable(avro.getTracestate()))));
        this.plan = PlanFields.toCore(avro.getSteps());
    }

    static Codec<RequestState> create() {
        return new AvroCodec<>(
                StoredState.getClassSchema(), StateWriter::toAvro, stored -> new StateCodec(stored).state());
    }

    private RequestState state() {
        return switch (status) {
            case PENDING -> pending();
            case GENERATING -> generating();
            case ACKNOWLEDGED ->
                new Acknowledged(
                        identity, snapshot(), decision(), plan, required(avro.getStartedAt(), "started_at", status));
            case HELD -> held();
            case COMPENSATING -> new Compensating(identity, failure(), snapshot(), plan);
            case COMMITTED ->
                new Committed(
                        identity,
                        snapshot(),
                        decision(),
                        plan,
                        required(avro.getEndedAt(), "ended_at", status),
                        required(avro.getExpiresAt(), "expires_at", status));
            case FAILED ->
                new Failed(
                        identity,
                        failure(),
                        Optional.ofNullable(avro.getSnapshotSha256()),
                        plan,
                        required(avro.getEndedAt(), "ended_at", status),
                        required(avro.getExpiresAt(), "expires_at", status));
        };
    }

    private Pending pending() {
        return new Pending(
                identity,
                RequestFields.toCore(required(avro.getRequest(), "request", status)),
                history(),
                required(avro.getDueAt(), "due_at", status));
    }

    private Generating generating() {
        return new Generating(
                identity,
                RequestFields.toCore(required(avro.getRequest(), "request", status)),
                history(),
                new CallInFlight(
                        required(avro.getStartedAt(), "started_at", status),
                        required(avro.getCallDeadline(), "call_deadline", status),
                        required(avro.getCaller(), "caller", status),
                        avro.getHandedOver()));
    }

    private CallHistory history() {
        return new CallHistory(
                avro.getCalls(),
                avro.getFailures(),
                Optional.ofNullable(avro.getFailingSince()),
                Optional.ofNullable(avro.getLastError()));
    }

    private Held held() {
        Hold hold = new Hold(
                Hold.Reason.valueOf(required(avro.getHoldReason(), "hold_reason", status)),
                required(avro.getHoldDetail(), "hold_detail", status),
                avro.getFailureReason() == null ? Optional.empty() : Optional.of(failure()));
        return new Held(
                identity,
                hold,
                Optional.ofNullable(avro.getRequest()).map(RequestFields::toCore),
                snapshot(),
                plan,
                required(avro.getStartedAt(), "started_at", status),
                required(avro.getDueAt(), "due_at", status));
    }

    private String snapshot() {
        return required(avro.getSnapshotSha256(), "snapshot_sha256", status);
    }

    private String decision() {
        return required(avro.getDecision(), "decision", status);
    }

    private Failure failure() {
        return new Failure(
                Failure.Reason.valueOf(required(avro.getFailureReason(), "failure_reason", status)),
                required(avro.getFailureDetail(), "failure_detail", status));
    }
}
