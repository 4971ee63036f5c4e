package io.hellogpt.once.embedded.bench;

import java.time.Duration;

/** How long to look. The shorter forms answer the same questions with fewer and shorter rounds, and smaller stores. */
public enum Scale {
    /** Shows that the benchmark works, and nothing about speed. */
    SMOKE(1, Duration.ofSeconds(1)),
    /** Under five minutes. */
    QUICK(1, Duration.ofSeconds(8)),
    FULL(3, Duration.ofSeconds(20));

    private static final int SMOKE_SHARE = 20;

    private final int rounds;
    private final Duration round;

    Scale(int rounds, Duration round) {
        this.rounds = rounds;
        this.round = round;
    }

    /** Rounds of each side of a comparison, alternating. */
    int rounds() {
        return rounds;
    }

    /** How long a round lasts whose end is not a number of requests. */
    Duration round() {
        return round;
    }

    int pick(int quick, int full) {
        return switch (this) {
            case SMOKE -> Math.max(1, quick / SMOKE_SHARE);
            case QUICK -> quick;
            case FULL -> full;
        };
    }
}
