package io.hellogpt.once.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads {@code lifecycle-events} and what stands beside it, committed records only. Safe for use by several threads. */
public interface AuditLog {
    /**
     * All that happened to one request, and how often it came again.
     *
     * <p>Found by reading one partition of each topic, that of the request_id, from the first record written at or after {@code from}
     * until the end of the log; reading stops when it takes too long.
     */
    Trail trail(RequestId id, Optional<Instant> from);

    /**
     * Follows all events.
     *
     * @param after the id of the last event that was seen; empty for what comes from now on
     * @throws IllegalArgumentException when {@code after} is no id of an event
     */
    Tail follow(Optional<String> after);

    /**
     * Each in the order of its log.
     *
     * @param duplicates the records with the same content that came later
     * @param rejected records with this id that were put aside, without their bytes
     * @param complete false when reading stopped before the end
     */
    record Trail(List<ObjectNode> events, List<ObjectNode> duplicates, List<ObjectNode> rejected, boolean complete) {
        public Trail {
            events = List.copyOf(events);
            duplicates = List.copyOf(duplicates);
            rejected = List.copyOf(rejected);
        }

        /** Whether nothing tells of such a request. */
        public boolean isEmpty() {
            return events.isEmpty() && duplicates.isEmpty() && rejected.isEmpty();
        }
    }

    /** @param id says how far every partition was read, so that any instance can go on behind it */
    record Event(String id, ObjectNode event) {}

    /** Used by one thread. */
    interface Tail extends AutoCloseable {
        /** What has come since, empty when nothing comes in time. */
        List<Event> next(Duration patience);

        @Override
        void close();
    }
}
