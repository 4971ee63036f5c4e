package io.hellogpt.once.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What this instance hears of all requests, whoever owns them: committed records only. Safe for use by several threads. */
public interface EventFeed {
    /** Begins to listen for records about one request. */
    Watch watch(RequestId id);

    /**
     * The requests heard of last, the newest first.
     *
     * @param status only those in this state
     */
    List<ObjectNode> recent(int limit, Optional<String> status);

    /** When a request was accepted, if this instance has heard of it and still remembers. */
    Optional<Instant> acceptedAt(RequestId id);

    /** A record and the topic it is from, in the JSON form of its schema. */
    record Heard(String topic, ObjectNode record) {}

    /** Listens until it is closed. */
    interface Watch extends AutoCloseable {
        /** The next record, or empty when none comes in time. */
        Optional<Heard> next(Duration patience) throws InterruptedException;

        @Override
        void close();
    }
}
