package io.hellogpt.once.core;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One step of one task, as the task itself recorded it: everything a step depends on that is neither in its input nor in the
 * task's stores. Fed with the same inputs in the order of their steps, a task writes the same outputs.
 *
 * @param partition the task's partition
 * @param source the record that was read, empty when timers were looked at
 * @param moment the times the step saw
 * @param start which start of the task took it
 * @param open this start's barrier was read, calls may be dispatched; after the step
 * @param requests the requests it was about
 * @param dispatched the requests it had a slot for and dispatched, in this order
 * @param atOnce the request it read was dispatched at once
 * @param outputs how many records it wrote to other topics
 */
public record TaskStep(
        int partition,
        Optional<SourcePosition> source,
        Moment moment,
        Start start,
        boolean open,
        List<RequestId> requests,
        List<RequestId> dispatched,
        boolean atOnce,
        int outputs) {
    public TaskStep {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(moment, "moment");
        Objects.requireNonNull(start, "start");
        requests = List.copyOf(requests);
        dispatched = List.copyOf(dispatched);
    }

    /**
     * One start of a task.
     *
     * @param barrierId unique to it
     * @param instance the process it runs in
     */
    public record Start(String barrierId, String instance) {
        public Start {
            Objects.requireNonNull(barrierId, "barrierId");
            Objects.requireNonNull(instance, "instance");
        }
    }
}
