package io.hellogpt.once.replay;

import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.topology.ModelGateway;
import io.hellogpt.once.topology.Surroundings;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/**
 * The recorded step as a task's surroundings and as its gateway: the time it was, what was dispatched, and a model that is
 * never called, since its answers stand in the recorded journal.
 */
final class Recording implements Surroundings, ModelGateway {
    private TaskStep step;
    private Optional<Before> before = Optional.empty();

    /** What the next step finds. */
    void next(TaskStep next, Optional<Before> found) {
        step = next;
        before = found;
    }

    @Override
    public Moment moment(ProcessingContext context) {
        return step.moment();
    }

    /** The driver reads rerouted requests by itself; a task reads only what it read when it was recorded. */
    @Override
    public Optional<SourcePosition> source(ProcessingContext context) {
        boolean isTheStepsOwn = context.recordMetadata()
                .filter(at -> at.topic() != null)
                .map(at -> step.source()
                        .filter(source -> source.topic().equals(at.topic()))
                        .isPresent())
                .orElse(false);
        return isTheStepsOwn ? step.source() : Optional.empty();
    }

    @Override
    public int partition(ProcessingContext context) {
        return step.partition();
    }

    @Override
    public boolean looks(boolean open) {
        return step != null && step.source().isEmpty();
    }

    @Override
    public Optional<Before> before() {
        return before;
    }

    @Override
    public String instance() {
        return step == null ? "" : step.start().instance();
    }

    @Override
    public Optional<Dispatches> dispatches() {
        return Optional.of(new Dispatches(step.dispatched(), step.atOnce()));
    }

    @Override
    public Demand demand(ModelRequest request) {
        return new Demand(request.model(), 0);
    }

    @Override
    public boolean reserve(int partition, Demand demand) {
        throw new IllegalStateException("a replay dispatches what was dispatched, and asks for no slot");
    }

    @Override
    public void release(int partition, Demand demand) {
        // It took none.
    }

    @Override
    public void start(int partition, ModelCall call) {
        // The call was made when it was recorded; what came of it is in the journal.
    }

    @Override
    public void cancel(RequestId id) {
        // As with start.
    }

    @Override
    public String openBarrier(int partition) {
        return "";
    }

    @Override
    public void handover(int partition) {
        // Recorded in the journal.
    }
}
