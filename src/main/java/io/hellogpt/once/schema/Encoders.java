package io.hellogpt.once.schema;

import io.hellogpt.once.core.CommittedResult;
import io.hellogpt.once.core.DuplicateRequest;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.SourcePosition;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;

/**
 * The records that are written and never read back by the system: results, refusals and the audit log, in Avro single-object
 * encoding. {@link RecordJson} reads them. Safe for use by several threads.
 */
public final class Encoders {
    /**
     * How much of a refused record is kept. A record that was accepted by the broker at its default of 1 MiB must still fit
     * with what is said about it.
     */
    static final int MAX_ORIGINAL_BYTES = 1_000_000;

    static final int MAX_KEY_BYTES = 10_000;

    private static final SingleObject<io.hellogpt.once.schema.avro.CommittedResult> COMMITTED =
            new SingleObject<>(io.hellogpt.once.schema.avro.CommittedResult.getClassSchema());
    private static final SingleObject<io.hellogpt.once.schema.avro.FailedRequest> FAILED =
            new SingleObject<>(io.hellogpt.once.schema.avro.FailedRequest.getClassSchema());
    private static final SingleObject<io.hellogpt.once.schema.avro.DuplicateRequest> DUPLICATE =
            new SingleObject<>(io.hellogpt.once.schema.avro.DuplicateRequest.getClassSchema());
    private static final SingleObject<io.hellogpt.once.schema.avro.RejectedRequest> REJECTED =
            new SingleObject<>(io.hellogpt.once.schema.avro.RejectedRequest.getClassSchema());
    private static final SingleObject<io.hellogpt.once.schema.avro.LifecycleEvent> EVENT =
            new SingleObject<>(io.hellogpt.once.schema.avro.LifecycleEvent.getClassSchema());

    private Encoders() {}

    /** Value of {@code committed-results}. */
    public static byte[] committedResult(CommittedResult result) {
        return COMMITTED.encode(EndingFields.committed(result));
    }

    /** Value of {@code failed-requests}. */
    public static byte[] failedRequest(Failed state) {
        return FAILED.encode(EndingFields.failed(state));
    }

    /** Value of {@code duplicate-requests}. */
    public static byte[] duplicateRequest(DuplicateRequest duplicate) {
        RequestState known = duplicate.known();
        SourcePosition original = known.identity().source();
        var avro = new io.hellogpt.once.schema.avro.DuplicateRequest();
        avro.setRequestId(known.id().value());
        avro.setFingerprint(known.identity().fingerprint().hex());
        avro.setDuplicateTopic(duplicate.source().topic());
        avro.setDuplicatePartition(duplicate.source().partition());
        avro.setDuplicateOffset(duplicate.source().offset());
        avro.setOriginalTopic(original.topic());
        avro.setOriginalPartition(original.partition());
        avro.setOriginalOffset(original.offset());
        avro.setStatus(StateCodec.STATUSES.avro(known.status()));
        avro.setCommitted(duplicate.result().map(EndingFields::committed).orElse(null));
        avro.setFailed(known instanceof Failed failed ? EndingFields.failed(failed) : null);
        avro.setAt(duplicate.at());
        return DUPLICATE.encode(avro);
    }

    /**
     * Value of {@code rejected-requests}. A value over 1,000,000 bytes is cut there; its full length and its position are kept.
     *
     * @param stage the stage that refused it
     * @param key of the refused record, may be null
     * @param value of the refused record, may be null
     */
    public static byte[] rejectedRequest(
            Rejection rejection, SourcePosition source, String stage, byte[] key, byte[] value, Instant at) {
        return rejectedRequest(rejection, source, stage, new Refused(key, value, MAX_ORIGINAL_BYTES), at);
    }

    /**
     * What was refused.
     *
     * @param key may be null
     * @param value may be null
     * @param keep how much of the value is kept at most; never more than 1,000,000 bytes are
     */
    public record Refused(byte[] key, byte[] value, int keep) {}

    /** The same, with less of the original where the record would be too large for its topic. */
    public static byte[] rejectedRequest(
            Rejection rejection, SourcePosition source, String stage, Refused original, Instant at) {
        byte[] value = original.value();
        var avro = new io.hellogpt.once.schema.avro.RejectedRequest();
        avro.setRequestId(rejection.id().map(RequestId::value).orElse(null));
        avro.setSourceTopic(source.topic());
        avro.setSourcePartition(source.partition());
        avro.setSourceOffset(source.offset());
        avro.setStage(stage);
        avro.setReason(rejection.reason().name());
        avro.setDetail(rejection.detail());
        avro.setFingerprint(rejection.fingerprint().map(Object::toString).orElse(null));
        avro.setKnownFingerprint(
                rejection.knownFingerprint().map(Object::toString).orElse(null));
        avro.setOriginalKey(cut(original.key(), MAX_KEY_BYTES));
        avro.setOriginalValue(cut(value, Math.min(original.keep(), MAX_ORIGINAL_BYTES)));
        avro.setOriginalValueBytes(value == null ? 0 : value.length);
        avro.setAt(at);
        return REJECTED.encode(avro);
    }

    /** Value of {@code lifecycle-events}. */
    public static byte[] lifecycleEvent(LifecycleEvent event) {
        var avro = new io.hellogpt.once.schema.avro.LifecycleEvent();
        avro.setRequestId(event.id().value());
        avro.setType(event.type().name());
        avro.setFrom(event.from().map(StateCodec.STATUSES::avro).orElse(null));
        avro.setTo(StateCodec.STATUSES.avro(event.to()));
        avro.setSourceTopic(event.source().topic());
        avro.setSourcePartition(event.source().partition());
        avro.setSourceOffset(event.source().offset());
        avro.setTurn(event.effectId().map(EffectId::turn).orElse(0));
        avro.setAttempt(event.attempt());
        avro.setEffectId(event.effectId().map(EffectId::toString).orElse(null));
        avro.setDetail(event.detail());
        avro.setActor(event.actor().orElse(null));
        avro.setAt(event.at());
        return EVENT.encode(avro);
    }

    private static ByteBuffer cut(byte[] bytes, int max) {
        return bytes == null ? null : ByteBuffer.wrap(bytes.length <= max ? bytes : Arrays.copyOf(bytes, max));
    }
}
