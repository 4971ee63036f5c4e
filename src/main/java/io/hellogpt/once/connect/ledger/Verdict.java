package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What one attempt came to.
 *
 * @param retryAfter with RETRYABLE, what the receiver asked for; with AWAITING_CALLBACK, how long the callback is awaited
 * @param inDoubt a send of this effect may have taken effect without our knowing; a later attempt must reckon with it
 * @param ofReceiver it says something of how the receiver is; only looked at as long as the call is fresh, and not kept
 */
public record Verdict(
        Result result,
        String detail,
        Optional<String> reference,
        Optional<Duration> retryAfter,
        boolean inDoubt,
        boolean ofReceiver) {
    private static final int MAX_DETAIL = 1_000;
    private static final int MAX_REFERENCE = 500;

    public Verdict {
        Objects.requireNonNull(result, "result");
        detail = storable(detail, MAX_DETAIL);
        reference = reference.map(text -> storable(text, MAX_REFERENCE)).filter(text -> !text.isEmpty());
        Objects.requireNonNull(retryAfter, "retryAfter");
    }

    /** A verdict that says something of the receiver, as most do. */
    public Verdict(
            Result result, String detail, Optional<String> reference, Optional<Duration> retryAfter, boolean inDoubt) {
        this(result, detail, reference, retryAfter, inDoubt, true);
    }

    /** The same of the effect, from which it cannot be told how the receiver is. */
    public Verdict sayingNothingOfTheReceiver() {
        return new Verdict(result, detail, reference, retryAfter, inDoubt, false);
    }

    /** A verdict that carries neither a reference nor a wish of the receiver, and leaves no doubt. */
    public static Verdict certain(Result result, String detail) {
        return new Verdict(result, detail, Optional.empty(), Optional.empty(), false);
    }

    /** Worth another attempt, after {@code wait}. */
    public static Verdict retry(String detail, Optional<Duration> wait, boolean inDoubt) {
        return new Verdict(Result.RETRYABLE, detail, Optional.empty(), wait, inDoubt);
    }

    /** Accepted; the end comes later as a callback, within {@code within}. */
    public static Verdict awaiting(String detail, Optional<String> reference, Duration within) {
        return new Verdict(Result.AWAITING_CALLBACK, detail, reference, Optional.of(within), false);
    }

    /** Control characters come from receivers too, and PostgreSQL refuses one of them. */
    private static String storable(String text, int max) {
        String clean = text.replaceAll("\\p{Cntrl}", " ");
        return clean.length() > max ? clean.substring(0, max) : clean;
    }

    /** The outcome of the attempt {@code ask} is about. */
    public EffectOutcome outcome(Ask ask, Instant at) {
        boolean awaited = result == Result.AWAITING_CALLBACK;
        return new EffectOutcome(
                ask.effect().id(),
                ask.effect().attempt(),
                result,
                detail,
                reference,
                awaited ? Optional.empty() : retryAfter,
                awaited ? retryAfter.map(at::plus) : Optional.empty(),
                at,
                ask.effect().requestReceivedAt(),
                inDoubt);
    }
}
