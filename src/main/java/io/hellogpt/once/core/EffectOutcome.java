package io.hellogpt.once.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What became of one attempt of one effect, or what a callback says became of the effect. Every attempt ends in exactly one of
 * these.
 *
 * @param attempt which attempt, from 1; 0 with a callback, which is bound to the effect and to no attempt
 * @param detail for people; no payload, no credential
 * @param reference the receiver's own id of what it did, if it gave one
 * @param retryAfter what the receiver asked for, with {@link Result#RETRYABLE}
 * @param deadline until when a callback is awaited, with {@link Result#AWAITING_CALLBACK}
 * @param requestReceivedAt echoed from the effect, also by a callback: it says which life of the request_id this is about
 * @param inDoubt with {@link Result#RETRYABLE}: this or an earlier attempt may have been carried out all the same. Trying again is
 *     safe; giving up is not a failure but {@link Result#UNKNOWN}. With {@link Result#AWAITING_CALLBACK}: the receiver does not
 *     tell attempts by a key, and may have accepted an earlier one beside this, so that a callback may be about either
 * @param callbackId the sender's own id of the callback that told this; empty when an attempt told it
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
        boolean inDoubt,
        Optional<String> callbackId) {
    public EffectOutcome {
        Objects.requireNonNull(effectId, "effectId");
        Objects.requireNonNull(result, "result");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(reference, "reference");
        Objects.requireNonNull(retryAfter, "retryAfter");
        Objects.requireNonNull(deadline, "deadline");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(requestReceivedAt, "requestReceivedAt");
        Objects.requireNonNull(callbackId, "callbackId");
    }

    /** What an attempt told. */
    public EffectOutcome(
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
        this(
                effectId,
                attempt,
                result,
                detail,
                reference,
                retryAfter,
                deadline,
                at,
                requestReceivedAt,
                inDoubt,
                Optional.empty());
    }

    /**
     * What a callback told.
     *
     * @param result {@link Result#SUCCEEDED} or {@link Result#FAILED}; any other is refused
     * @param callbackId the sender's own id of the event, the same however often it is sent
     */
    public static EffectOutcome callback(
            EffectId effectId,
            Result result,
            String detail,
            Optional<String> reference,
            String callbackId,
            Instant at,
            Instant requestReceivedAt) {
        return new EffectOutcome(
                effectId,
                0,
                result,
                detail,
                reference,
                Optional.empty(),
                Optional.empty(),
                at,
                requestReceivedAt,
                false,
                Optional.of(callbackId));
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
