package io.hellogpt.once.core;

import java.util.Objects;

/**
 * Where a record was first read. A record with the same position as a known request's is that request read again (a
 * resumption), not a duplicate.
 *
 * @param topic the topic the producer wrote to, also for a record that came back through {@code requests-rerouted}
 */
public record SourcePosition(String topic, int partition, long offset) {
    public SourcePosition {
        Objects.requireNonNull(topic, "topic");
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset;
    }
}
