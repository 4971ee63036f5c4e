package io.hellogpt.once.topology;

import io.hellogpt.once.core.Acknowledge;
import io.hellogpt.once.core.Generate.Generation.FirstAnswer;
import io.hellogpt.once.core.Moment;
import java.util.function.Function;
import org.apache.kafka.streams.processor.api.Record;

/** Stage 3: runs the decision policy on the first valid answer. */
final class AcknowledgeProcessor extends StageProcessor {
    private final Acknowledge acknowledge;

    AcknowledgeProcessor(OnceTopology.Parts parts, Acknowledge acknowledge) {
        super(parts, Nodes.ACKNOWLEDGE);
        this.acknowledge = acknowledge;
    }

    @Override
    void handle(Record<byte[], Message> record) {
        if (record.value() instanceof Message.Answered(FirstAnswer answer)) {
            Moment moment = moment();
            Function<String, Acknowledge.Decided> otherwise =
                    reason -> acknowledge.withoutEffects(answer, reason, moment);
            handOn(record.key(), new Message.Decided(acknowledge.decide(answer, moment), otherwise), Nodes.COMMIT);
        }
    }
}
