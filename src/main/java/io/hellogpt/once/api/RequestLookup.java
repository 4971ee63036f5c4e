package io.hellogpt.once.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Finds the state of a request. Safe for use by several threads. */
@FunctionalInterface
public interface RequestLookup {
    Found find(String requestId);

    /** What came of it. */
    sealed interface Found {}

    /** @param state the stored state without prompt, answer and payloads */
    record Here(ObjectNode state) implements Found {}

    /** @param host and {@code port} of the instance that owns the request's partition */
    record Elsewhere(String host, int port) implements Found {}

    /** The owner does not know it: never accepted, or forgotten after the dedup window. */
    record Unknown() implements Found {}

    /** Nobody can answer now, e.g. while partitions move. */
    record Unavailable(String reason) implements Found {}
}
