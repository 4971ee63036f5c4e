package io.hellogpt.once.model;

import java.time.Duration;
import java.time.Instant;

/**
 * So much a minute: a bucket that fills evenly and holds ten seconds' worth, so that no 60 seconds see more than 7/6 of the limit,
 * and those only after a pause. Not safe for use by several threads.
 *
 * <p>What is taken is an estimate, corrected later: the level may go below nothing, and then nothing is to be had until that is
 * made up for. (resilience4j's RateLimiter hands out whole periods and takes nothing back.)
 */
final class Budget {
    private static final double SECONDS_HELD = 10;
    private static final double NANOS_PER_MINUTE = Duration.ofMinutes(1).toNanos();

    private final long perMinute;
    private final double capacity;
    private double level;
    private Instant filledAt;

    Budget(long perMinute, Instant now) {
        this.perMinute = perMinute;
        this.capacity = Math.max(1, perMinute * SECONDS_HELD / 60);
        this.level = capacity;
        this.filledAt = now;
    }

    /** Whether {@code amount} is to be had now; more than the bucket holds, when it is full. */
    boolean has(long amount, Instant now) {
        fill(now);
        return level >= Math.min(amount, capacity);
    }

    /** More than a minute's worth counts as a minute's worth: no provider grants it, and nothing would ever make up for it. */
    void take(long amount) {
        level -= taken(amount);
    }

    /** What was taken is not used. */
    void giveBack(long amount) {
        correct(amount, 0);
    }

    /** Of what was taken so much was used, which may be more. */
    void correct(long amount, long used) {
        level = Math.min(capacity, level + taken(amount) - used);
    }

    private long taken(long amount) {
        return Math.min(amount, Math.max(1, perMinute));
    }

    boolean isFull(Instant now) {
        fill(now);
        return level >= capacity;
    }

    /** A clock that was set back fills nothing, and takes nothing away. */
    private void fill(Instant now) {
        if (now.isAfter(filledAt)) {
            double minutes = Duration.between(filledAt, now).toNanos() / NANOS_PER_MINUTE;
            level = Math.min(capacity, level + perMinute * minutes);
        }
        filledAt = now;
    }
}
