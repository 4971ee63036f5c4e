package io.hellogpt.once.topology;

import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Operate;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.schema.Codecs;
import java.util.List;
import org.apache.kafka.streams.processor.api.Record;

/** What people do: reads {@code commands}. */
final class OperateProcessor extends StageProcessor {
    private final Operate operate;

    OperateProcessor(OnceTopology.Parts parts, Operate operate) {
        super(parts, Nodes.OPERATE);
        this.operate = operate;
    }

    @Override
    void handle(Record<byte[], Message> record) {
        Original original = original(record);
        byte[] value = original.value() == null ? new byte[0] : original.value();
        step(original, () -> {
            OperatorCommand command = Codecs.COMMAND.decode(value);
            return stores().state(command.requestId()).isPresent()
                    ? operate.onCommand(stores(), command, moment())
                    : List.of(new Fact.Reject(unknown(command), original.position()));
        });
    }

    private static Rejection unknown(OperatorCommand command) {
        return Rejection.of(
                Rejection.Reason.INVALID,
                command.verb()
                        + ": no such request is known here. It may be forgotten, or the command is not in the partition of"
                        + " its request_id (murmur2, as the Java client partitions)",
                command.requestId());
    }
}
