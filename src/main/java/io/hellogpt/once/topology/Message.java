package io.hellogpt.once.topology;

import io.hellogpt.once.core.Acknowledge;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.Timer;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Deserializer;

/** What one node of the topology hands to another. Never leaves the process. */
sealed interface Message {

    /**
     * A record as read. Its bytes are decoded in the processor, not in a deserializer, so that bad bytes become a record with a
     * reason instead of an exception.
     *
     * @param bytes the record's value, null for a tombstone
     */
    record Raw(byte[] bytes) implements Message {
        static final Deserializer<Message> DESERIALIZER = (topic, bytes) -> new Raw(bytes);
    }

    /**
     * receive to generate: a new request.
     *
     * @param original the record it came in, should it have to be rejected after all
     */
    record Accepted(Pending state, Original original) implements Message {}

    /** generate to acknowledge: the first valid answer. */
    record Answered(Generation.FirstAnswer answer) implements Message {}

    /**
     * acknowledge to commit: a recorded decision.
     *
     * @param otherwise what is recorded instead, given the reason, if that decision cannot be
     */
    record Decided(Acknowledge.Decided decided, Function<String, Acknowledge.Decided> otherwise) implements Message {}

    /** timers to a stage: something is due. */
    record Due(Timer timer) implements Message {}

    /** timers to generate: time has passed, see whether anything can be dispatched. */
    record Tick() implements Message {}
}
