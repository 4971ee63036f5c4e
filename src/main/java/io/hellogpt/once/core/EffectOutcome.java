package io.hellogpt.once.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What became of one attempt of one effect. Every attempt ends in exactly one of these.
 *
 * @param detail for people; no payload, no credential
 * @param reference the receiver's own id of what it did, if it gave one
 * @param retryAfter what the receiver asked for, with {@link Result#RETRYABLE}
 * @param deadline until when a callback is awaited, with {@link Result#AWAITING_CALLBACK}
 * @param inDoubt with {@link Result#RETRYABLE}: this or an earlier attempt may have been carried out all the same. Trying again is
 *     safe; giving up is not a failure but {@link Result#UNKNOWN}
 */
public record EffectOutcome(
        EffectId effectId,
        int attempt,
        Result result,
        String detail,
        Optional<String> reference,
        Optional<Duration> retryAfter,
        Optional<Instant> deadline,
        Instant at,
        Instant requestReceivedAt,
        boolean inDoubt) {
    public EffectOutcome {
        Objects.requireNonNull(effectId, "effectId");
        Objects.requireNonNull(result, "result");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(reference, "reference");
        Objects.requireNonNull(retryAfter, "retryAfter");
        Objects.requireNonNull(deadline, "deadline");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(requestReceivedAt, "requestReceivedAt");
    }

    /** The kinds of outcome. */
    public enum Result {
        /** Carried out; the receiver confirmed. */
        SUCCEEDED,
        /** Certainly not carried out, or safe to repeat; worth another attempt. */
        RETRYABLE,
        /** Certainly not carried out, and another attempt gives the same. */
        FAILED,
        /** It cannot be known whether it was carried out. Never guessed; a person or a probe decides. */
        UNKNOWN,
        /** Accepted by the receiver; the final word comes later as a callback. */
        AWAITING_CALLBACK,
        /** The record itself could not be understood or its route is not configured; nothing was executed. */
        MALFORMED
    }
}
