package io.hellogpt.once.topology;

import io.hellogpt.once.core.Operate;
import io.hellogpt.once.schema.Codecs;
import org.apache.kafka.streams.processor.api.Record;

/** What people do: reads {@code commands}. */
final class OperateProcessor extends StageProcessor {
    private final Operate operate;

    OperateProcessor(OnceTopology.Parts parts, Operate operate) {
        super(parts, Nodes.OPERATE);
        this.operate = operate;
    }

    @Override
    public void process(Record<byte[], Message> record) {
        Original original = original(record);
        byte[] value = original.value() == null ? new byte[0] : original.value();
        guarded(original, () -> operate.onCommand(stores(), Codecs.COMMAND.decode(value), moment()));
    }
}
