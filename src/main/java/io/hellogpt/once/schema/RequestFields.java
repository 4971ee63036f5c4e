package io.hellogpt.once.schema;

import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.ModelRequest.EffectTemplate;
import io.hellogpt.once.core.RequestId;
import java.util.Optional;
import java.util.TreeMap;

/** A request, as it stands on {@code requests} in its Avro encoding and inside stored states. */
final class RequestFields {
    private RequestFields() {}

    static io.hellogpt.once.schema.avro.ModelRequest toAvro(ModelRequest request) {
        var avro = new io.hellogpt.once.schema.avro.ModelRequest();
        avro.setRequestId(request.id().value());
        avro.setModel(request.model());
        avro.setMessages(request.messages());
        avro.setParameters(request.parameters());
        avro.setPolicy(request.policy());
        avro.setEffects(request.effects().stream().map(RequestFields::toAvro).toList());
        avro.setCreatedAt(request.createdAt().orElse(null));
        avro.setDeadline(request.deadline().orElse(null));
        // Sorted: equal requests give equal bytes on every machine.
        avro.setMetadata(new TreeMap<>(request.metadata()));
        return avro;
    }

    static ModelRequest toCore(io.hellogpt.once.schema.avro.ModelRequest avro) {
        return new ModelRequest(
                new RequestId(avro.getRequestId()),
                avro.getModel(),
                avro.getMessages(),
                avro.getParameters(),
                avro.getPolicy(),
                avro.getEffects().stream().map(RequestFields::toCore).toList(),
                Optional.ofNullable(avro.getCreatedAt()),
                Optional.ofNullable(avro.getDeadline()),
                avro.getMetadata());
    }

    static io.hellogpt.once.schema.avro.Compensation toAvro(Compensation compensation) {
        var avro = new io.hellogpt.once.schema.avro.Compensation();
        avro.setRoute(compensation.route());
        avro.setPayload(compensation.payload());
        return avro;
    }

    static Compensation toCore(io.hellogpt.once.schema.avro.Compensation avro) {
        return new Compensation(avro.getRoute(), avro.getPayload());
    }

    private static io.hellogpt.once.schema.avro.EffectTemplate toAvro(EffectTemplate template) {
        var avro = new io.hellogpt.once.schema.avro.EffectTemplate();
        avro.setName(template.name());
        avro.setRoute(template.route());
        avro.setStage(template.stage());
        avro.setPayload(template.payload());
        avro.setPointers(new TreeMap<>(template.pointers()));
        avro.setCompensation(template.compensation().map(RequestFields::toAvro).orElse(null));
        avro.setPivot(template.pivot());
        return avro;
    }

    private static EffectTemplate toCore(io.hellogpt.once.schema.avro.EffectTemplate avro) {
        return new EffectTemplate(
                avro.getName(),
                avro.getRoute(),
                avro.getStage(),
                avro.getPayload(),
                avro.getPointers(),
                Optional.ofNullable(avro.getCompensation()).map(RequestFields::toCore),
                avro.getPivot());
    }
}
