package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * What one attempt came to.
 *
 * @param deadline until when a callback is awaited; with {@link Result#AWAITING_CALLBACK}, and with nothing else
 * @param inDoubt a send of this effect may have taken effect without our knowing; a later attempt must reckon with it
 */
public record Verdict(
        Result result,
        String detail,
        Optional<String> reference,
        Optional<Duration> retryAfter,
        Optional<Instant> deadline,
        boolean inDoubt) {
    private static final int MAX_DETAIL = 1_000;
    private static final int MAX_REFERENCE = 500;

    public Verdict {
        Objects.requireNonNull(result, "result");
        detail = storable(detail, MAX_DETAIL);
        reference = reference.map(text -> storable(text, MAX_REFERENCE)).filter(text -> !text.isEmpty());
        Objects.requireNonNull(retryAfter, "retryAfter");
        if (deadline.isPresent() != (result == Result.AWAITING_CALLBACK)) {
            throw new IllegalArgumentException("a deadline belongs to AWAITING_CALLBACK and to nothing else");
        }
        // As it is stored and published: in milliseconds.
        deadline = deadline.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
    }

    /** A verdict that awaits no callback. */
    public Verdict(
            Result result, String detail, Optional<String> reference, Optional<Duration> retryAfter, boolean inDoubt) {
        this(result, detail, reference, retryAfter, Optional.empty(), inDoubt);
    }

    /** A verdict that carries neither a reference nor a wish of the receiver, and leaves no doubt. */
    public static Verdict certain(Result result, String detail) {
        return new Verdict(result, detail, Optional.empty(), Optional.empty(), false);
    }

    /** Accepted by the receiver; its callback brings the final word, at the latest at {@code deadline}. */
    public static Verdict awaitingCallback(String detail, Optional<String> reference, Instant deadline) {
        return new Verdict(Result.AWAITING_CALLBACK, detail, reference, Optional.empty(), Optional.of(deadline), false);
    }

    /** Worth another attempt, after {@code wait}. */
    public static Verdict retry(String detail, Optional<Duration> wait, boolean inDoubt) {
        return new Verdict(Result.RETRYABLE, detail, Optional.empty(), wait, inDoubt);
    }

    /** Control characters come from receivers too, and PostgreSQL refuses one of them. */
    private static String storable(String text, int max) {
        String clean = text.replaceAll("\\p{Cntrl}", " ");
        return clean.length() > max ? clean.substring(0, max) : clean;
    }

    /** The outcome of the attempt {@code ask} is about. */
    public EffectOutcome outcome(Ask ask, Instant at) {
        return new EffectOutcome(
                ask.effect().id(),
                ask.effect().attempt(),
                result,
                detail,
                reference,
                retryAfter,
                deadline,
                at,
                ask.effect().requestReceivedAt(),
                inDoubt);
    }
}
