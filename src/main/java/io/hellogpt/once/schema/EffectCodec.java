package io.hellogpt.once.schema;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.RequestId;

/** Attempts of effects, topic {@code effects}. */
final class EffectCodec {
    private EffectCodec() {}

    static Codec<Effect> create() {
        return new AvroCodec<>(
                io.hellogpt.once.schema.avro.Effect.getClassSchema(), EffectCodec::toAvro, EffectCodec::toCore);
    }

    private static io.hellogpt.once.schema.avro.Effect toAvro(Effect effect) {
        var avro = new io.hellogpt.once.schema.avro.Effect();
        EffectId id = effect.id();
        avro.setEffectId(id.toString());
        avro.setRequestId(id.requestId().value());
        avro.setTurn(id.turn());
        avro.setStep(id.step());
        avro.setUndo(id.undo());
        avro.setName(effect.name());
        avro.setStage(effect.stage());
        avro.setRoute(effect.route());
        avro.setAttempt(effect.attempt());
        avro.setPayload(effect.payload());
        avro.setIssuedAt(effect.issuedAt());
        avro.setRequestReceivedAt(effect.requestReceivedAt());
        avro.setProbe(effect.probe());
        return avro;
    }

    private static Effect toCore(io.hellogpt.once.schema.avro.Effect avro) {
        EffectId id = new EffectId(new RequestId(avro.getRequestId()), avro.getTurn(), avro.getStep(), avro.getUndo());
        if (!id.toString().equals(avro.getEffectId())) {
            throw new CodecException("effect_id %s does not belong to request_id %s, turn %d, step %d"
                    .formatted(avro.getEffectId(), avro.getRequestId(), avro.getTurn(), avro.getStep()));
        }
        return new Effect(
                id,
                avro.getName(),
                avro.getStage(),
                avro.getRoute(),
                avro.getAttempt(),
                avro.getPayload(),
                avro.getIssuedAt(),
                avro.getRequestReceivedAt(),
                avro.getProbe());
    }
}
