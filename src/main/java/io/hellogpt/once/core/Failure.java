package io.hellogpt.once.core;

import java.util.Objects;

/**
 * Why a request ended, or is about to end, without taking effect.
 *
 * @param detail for people; no payload, no credential
 */
public record Failure(Reason reason, String detail) {
    public Failure {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(detail, "detail");
    }

    /** The kinds of failure. */
    public enum Reason {
        /** The provider refuses this request (400, 404, 422, content refusal). */
        MODEL_REJECTED,
        /** All attempts to get an answer failed. */
        MODEL_EXHAUSTED,
        /** The answer is larger than {@code snapshot.max.bytes}. */
        SNAPSHOT_TOO_LARGE,
        /** The policy refused the answer. */
        REFUSED,
        /** An effect failed. */
        EFFECT_FAILED,
        /** The request's own deadline passed. */
        DEADLINE_EXCEEDED,
        /** An operator ended it. */
        CANCELLED,
        /** The system could not process it; the cause is in the detail. */
        PROCESSING_ERROR
    }
}
