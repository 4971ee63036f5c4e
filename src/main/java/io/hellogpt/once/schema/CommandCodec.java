package io.hellogpt.once.schema;

import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.avro.OperatorVerb;
import java.util.Optional;

/** Commands of operators, topic {@code commands}. */
final class CommandCodec {
    private static final Symbols<OperatorCommand.Verb, OperatorVerb> VERBS =
            new Symbols<>("verb of a command", OperatorCommand.Verb.class, OperatorVerb.class);

    private CommandCodec() {}

    static Codec<OperatorCommand> create() {
        return new AvroCodec<>(
                io.hellogpt.once.schema.avro.OperatorCommand.getClassSchema(),
                CommandCodec::toAvro,
                CommandCodec::toCore);
    }

    private static io.hellogpt.once.schema.avro.OperatorCommand toAvro(OperatorCommand command) {
        var avro = new io.hellogpt.once.schema.avro.OperatorCommand();
        avro.setCommandId(command.commandId());
        avro.setRequestId(command.requestId().value());
        avro.setVerb(VERBS.avro(command.verb()));
        avro.setEffectId(command.effectId().map(EffectId::toString).orElse(null));
        avro.setActor(command.actor());
        avro.setReason(command.reason());
        avro.setAt(command.at());
        return avro;
    }

    private static OperatorCommand toCore(io.hellogpt.once.schema.avro.OperatorCommand avro) {
        return new OperatorCommand(
                avro.getCommandId(),
                new RequestId(avro.getRequestId()),
                VERBS.core(avro.getVerb()),
                Optional.ofNullable(avro.getEffectId()).map(EffectId::parse),
                avro.getActor(),
                avro.getReason(),
                avro.getAt());
    }
}
