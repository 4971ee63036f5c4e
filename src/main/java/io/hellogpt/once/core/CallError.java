package io.hellogpt.once.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a model call gave no answer.
 *
 * @param message for people; no prompt, no answer, no credential
 * @param retryAfter what the provider asked for, if it did (RFC 9110, section 10.2.3)
 */
public record CallError(Kind kind, String message, Optional<Duration> retryAfter) {
    public CallError {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(retryAfter, "retryAfter");
    }

    /** What follows from an error. */
    public enum Kind {
        /** 408, 429, 5xx, I/O, timeout, truncated body: worth another attempt. */
        RETRYABLE,
        /** 400, 404, 422 or a content refusal: another attempt gives the same; the request fails. */
        REJECTED,
        /** 401 or 403: nothing is wrong with the request; dispatch pauses and the attempt does not count. */
        UNAUTHORIZED,
        /** The answer is larger than {@code snapshot.max.bytes}: the request fails with that reason. */
        TOO_LARGE,
        /**
         * The call was given up by a shutdown, or failed while the circuit was open: it says nothing about the request, and
         * the attempt does not count.
         */
        ABANDONED
    }
}
