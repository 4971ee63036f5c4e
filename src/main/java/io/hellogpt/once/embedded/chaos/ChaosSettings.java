package io.hellogpt.once.embedded.chaos;

import java.time.Duration;

/**
 * How long, how hard and with which dice.
 *
 * @param duration of the faults; start, settling and judging come on top
 * @param seed of the faults, the traffic and the others' misbehaviour
 * @param perSecond new requests
 * @param lanes faults at the same time
 */
public record ChaosSettings(Duration duration, long seed, double perSecond, int lanes) {
    /** From here on every type of fault has time to fire, and must; below, every kind. */
    private static final Duration LONG = Duration.ofMinutes(10);
    /** With room for what is being compacted. */
    private static final int REQUESTS_PER_MEGABYTE = 100;

    public ChaosSettings {
        if (duration.isNegative() || duration.isZero() || !(perSecond > 0) || lanes < 1) {
            throw new IllegalArgumentException(
                    "needs a duration above 0 seconds, more than 0 requests a second and at least one fault at a time: %s, %s, %s"
                            .formatted(duration, perSecond, lanes));
        }
    }

    /** As two cores carry it. */
    public static ChaosSettings of(Duration duration, long seed) {
        return new ChaosSettings(duration, seed, 6, duration.compareTo(LONG) < 0 ? 2 : 3);
    }

    boolean isLong() {
        return duration.compareTo(LONG) >= 0;
    }

    /** How long after the last fault an ending is waited for. */
    Duration patience() {
        return isLong() ? Duration.ofMinutes(10) : Duration.ofMinutes(3);
    }

    /** Copies of a request come within this time. */
    Duration latestCopy() {
        return isLong() ? Duration.ofMinutes(2) : Duration.ofSeconds(20);
    }

    /** A small disk that is full only when it is filled: an instance may have to keep every request of the run. */
    int diskMegabytes() {
        return (int) (64 + duration.toSeconds() * perSecond / REQUESTS_PER_MEGABYTE);
    }

    /** How wrong a clock gets; what was put off by it must still end within the patience. */
    Duration clockSkew() {
        return isLong() ? Duration.ofMinutes(2) : Duration.ofSeconds(20);
    }
}
