package io.hellogpt.once.embedded.bench;

/** How long to look. The shorter forms answer the same questions with fewer and shorter rounds, and smaller stores. */
public enum Scale {
    /** Shows that the benchmark works, and nothing about speed. */
    SMOKE(1),
    /** Under five minutes. */
    QUICK(1),
    FULL(3);

    private static final int SMOKE_SHARE = 20;

    private final int rounds;

    Scale(int rounds) {
        this.rounds = rounds;
    }

    /** Rounds of each side of a comparison, alternating. */
    int rounds() {
        return rounds;
    }

    int pick(int quick, int full) {
        return switch (this) {
            case SMOKE -> Math.max(1, quick / SMOKE_SHARE);
            case QUICK -> quick;
            case FULL -> full;
        };
    }
}
