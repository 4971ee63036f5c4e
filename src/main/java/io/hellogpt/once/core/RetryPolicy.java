package io.hellogpt.once.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Bounded retries: exponential backoff with full jitter, seeded by what is retried, so that a replay waits just as long.
 *
 * @param base upper bound of the first delay
 * @param max upper bound of every delay of our own; a Retry-After may be longer
 * @param maxAttempts attempts in all, the first included
 * @param maxElapsed no attempt is begun later than this after the first one began; empty for no such limit
 */
public record RetryPolicy(Duration base, Duration max, int maxAttempts, Optional<Duration> maxElapsed) {
    private static final int MAX_DOUBLINGS = 30;

    public RetryPolicy {
        Objects.requireNonNull(base, "base");
        Objects.requireNonNull(max, "max");
        Objects.requireNonNull(maxElapsed, "maxElapsed");
        if (base.isNegative() || max.compareTo(base) < 0 || maxAttempts < 1) {
            throw new IllegalArgumentException("need 0 <= base <= max and maxAttempts >= 1");
        }
    }

    /** Limited by the number of attempts alone. */
    public RetryPolicy(Duration base, Duration max, int maxAttempts) {
        this(base, max, maxAttempts, Optional.empty());
    }

    public boolean exhausted(int attemptsMade) {
        return attemptsMade >= maxAttempts;
    }

    /**
     * Whether an attempt at that time comes too late.
     *
     * @param since when the first attempt that failed began
     */
    public boolean elapsed(Instant since, Instant next) {
        return maxElapsed.map(limit -> next.isAfter(since.plus(limit))).orElse(false);
    }

    /**
     * How long to wait before the next attempt.
     *
     * @param seed names what is retried, e.g. a request_id
     * @param attemptsMade from 1
     * @param retryAfter what the other side asked for; never waited less
     */
    public Duration delay(String seed, int attemptsMade, Optional<Duration> retryAfter) {
        long ceiling =
                Math.min(max.toMillis(), base.toMillis() << Math.min(MAX_DOUBLINGS, Math.max(0, attemptsMade - 1)));
        long jittered = new SplittableRandom(seed.hashCode() * 31L + attemptsMade).nextLong(ceiling + 1);
        Duration own = Duration.ofMillis(jittered);
        return retryAfter.filter(asked -> asked.compareTo(own) > 0).orElse(own);
    }
}
