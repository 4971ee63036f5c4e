package io.hellogpt.once.schema;

import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TaskStep;
import java.util.List;
import java.util.Optional;

/** Steps of tasks, topic {@code task-steps}. */
final class TaskStepCodec {
    private static final long NO_OFFSET = -1;

    private TaskStepCodec() {}

    static Codec<TaskStep> create() {
        return new AvroCodec<>(
                io.hellogpt.once.schema.avro.TaskStep.getClassSchema(), TaskStepCodec::toAvro, TaskStepCodec::toCore);
    }

    private static io.hellogpt.once.schema.avro.TaskStep toAvro(TaskStep step) {
        var avro = new io.hellogpt.once.schema.avro.TaskStep();
        avro.setPartition(step.partition());
        avro.setSourceTopic(step.source().map(SourcePosition::topic).orElse(null));
        avro.setSourceOffset(step.source().map(SourcePosition::offset).orElse(NO_OFFSET));
        avro.setAt(step.moment().now());
        avro.setStreamTime(step.moment().streamTime());
        avro.setBarrierId(step.start().barrierId());
        avro.setInstance(step.start().instance());
        avro.setOpen(step.open());
        avro.setAtOnce(step.atOnce());
        avro.setRequestIds(step.requests().stream().map(RequestId::value).toList());
        avro.setDispatched(step.dispatched().stream().map(RequestId::value).toList());
        avro.setOutputs(step.outputs());
        return avro;
    }

    private static TaskStep toCore(io.hellogpt.once.schema.avro.TaskStep avro) {
        return new TaskStep(
                avro.getPartition(),
                Optional.ofNullable(avro.getSourceTopic())
                        .map(topic -> new SourcePosition(topic, avro.getPartition(), avro.getSourceOffset())),
                new Moment(avro.getAt(), avro.getStreamTime()),
                new TaskStep.Start(avro.getBarrierId(), avro.getInstance()),
                avro.getOpen(),
                ids(avro.getRequestIds()),
                ids(avro.getDispatched()),
                avro.getAtOnce(),
                avro.getOutputs());
    }

    private static List<RequestId> ids(List<String> values) {
        return values.stream().map(RequestId::new).toList();
    }
}
