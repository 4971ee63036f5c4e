package io.hellogpt.once.schema;

import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.schema.avro.EffectResult;
import java.util.Optional;

/** Outcomes of attempts, topic {@code effect-outcomes}. */
final class EffectOutcomeCodec {
    private static final Symbols<EffectOutcome.Result, EffectResult> RESULTS =
            new Symbols<>("result of an effect", EffectOutcome.Result.class, EffectResult.class);

    private EffectOutcomeCodec() {}

    static Codec<EffectOutcome> create() {
        return new AvroCodec<>(
                io.hellogpt.once.schema.avro.EffectOutcome.getClassSchema(),
                EffectOutcomeCodec::toAvro,
                EffectOutcomeCodec::toCore);
    }

    private static io.hellogpt.once.schema.avro.EffectOutcome toAvro(EffectOutcome outcome) {
        var avro = new io.hellogpt.once.schema.avro.EffectOutcome();
        avro.setEffectId(outcome.effectId().toString());
        avro.setRequestId(outcome.effectId().requestId().value());
        avro.setAttempt(outcome.attempt());
        avro.setResult(RESULTS.avro(outcome.result()));
        avro.setDetail(outcome.detail());
        avro.setReference(outcome.reference().orElse(null));
        avro.setRetryAfterMs(Nullable.millis(outcome.retryAfter()));
        avro.setDeadline(outcome.deadline().orElse(null));
        avro.setAt(outcome.at());
        avro.setRequestReceivedAt(outcome.requestReceivedAt());
        avro.setInDoubt(outcome.inDoubt());
        avro.setCallbackId(outcome.callbackId().orElse(null));
        return avro;
    }

    private static EffectOutcome toCore(io.hellogpt.once.schema.avro.EffectOutcome avro) {
        EffectId id = EffectId.parse(avro.getEffectId());
        if (!id.requestId().value().equals(avro.getRequestId())) {
            throw new CodecException(
                    "effect_id %s is not of request_id %s".formatted(avro.getEffectId(), avro.getRequestId()));
        }
        return new EffectOutcome(
                id,
                avro.getAttempt(),
                RESULTS.core(avro.getResult()),
                avro.getDetail(),
                Optional.ofNullable(avro.getReference()),
                Nullable.duration(avro.getRetryAfterMs()),
                Optional.ofNullable(avro.getDeadline()),
                avro.getAt(),
                avro.getRequestReceivedAt(),
                avro.getInDoubt(),
                Optional.ofNullable(avro.getCallbackId()));
    }
}
