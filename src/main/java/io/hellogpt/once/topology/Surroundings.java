package io.hellogpt.once.topology;

import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TaskStep;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/**
 * What a task finds around it and does not decide: the time, where a record stands, whether timers are looked at. A live task
 * takes it from Streams, a replayed one from the recording; nothing else differs between the two.
 */
public interface Surroundings {
    /** A live task's. */
    Surroundings LIVE = new Surroundings() {
        @Override
        public Moment moment(ProcessingContext context) {
            // Whole milliseconds, since that is what is recorded.
            return new Moment(
                    Instant.ofEpochMilli(context.currentSystemTimeMs()),
                    Instant.ofEpochMilli(Math.max(0, context.currentStreamTimeMs())));
        }

        @Override
        public Optional<SourcePosition> source(ProcessingContext context) {
            return context.recordMetadata()
                    .filter(at -> at.topic() != null)
                    .map(at -> new SourcePosition(at.topic(), at.partition(), at.offset()));
        }

        @Override
        public int partition(ProcessingContext context) {
            return context.taskId().partition();
        }

        @Override
        public boolean looks(boolean open) {
            return open;
        }

        @Override
        public Optional<Before> before() {
            return Optional.empty();
        }

        @Override
        public Optional<Dispatches> dispatches() {
            return Optional.empty();
        }
    };

    /** The time of the step that begins now. */
    Moment moment(ProcessingContext context);

    /** Where the record stands that is being read; empty when it is none of the task's inputs and must be passed over. */
    Optional<SourcePosition> source(ProcessingContext context);

    int partition(ProcessingContext context);

    /**
     * Whether timers are looked at when Streams punctuates.
     *
     * @param open the task has read the barrier of this start. A live one looks at none before: an answer may be in the journal unread;
     *     and Streams commits offsets for a task from its first record on, and it is they that fence what a task writes that is another's
     */
    boolean looks(boolean open);

    /** What the step that begins now finds, where that is not what the last one left. */
    Optional<Before> before();

    /** Which requests are dispatched in this step; empty where queues and gateway decide. */
    Optional<Dispatches> dispatches();

    /**
     * What a task remembers besides its stores.
     *
     * @param start which start of the task it is
     * @param open its barrier was read
     */
    record Before(TaskStep.Start start, boolean open) {}

    /**
     * What was dispatched.
     *
     * @param requests in this order
     * @param atOnce the request that was read among them, without waiting
     */
    record Dispatches(List<RequestId> requests, boolean atOnce) {
        public Dispatches {
            requests = List.copyOf(requests);
        }
    }
}
