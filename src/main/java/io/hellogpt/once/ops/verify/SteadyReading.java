package io.hellogpt.once.ops.verify;

import java.io.IOException;
import java.sql.SQLException;

/**
 * Reads two places that cannot be read at one moment, while both may move: the second is read between two looks at the first. Only
 * when both looks see the same does what was read belong together.
 */
public final class SteadyReading {
    private static final int MOST_LOOKS = 5;

    private SteadyReading() {}

    /** A look at the place that is read twice; equal results mean that it did not move. */
    @FunctionalInterface
    public interface Look<L> {
        L look() throws IOException, SQLException;
    }

    /** Reads the other place, and puts both together. */
    @FunctionalInterface
    public interface Rest<L, E> {
        E read(L seen) throws IOException, SQLException;
    }

    /**
     * Reads again until the first place did not move meanwhile, at most five times; a place that never rests is taken as it was
     * last seen, before the other one was read.
     */
    public static <L, E> E read(Look<L> first, Rest<L, E> rest) throws IOException, SQLException {
        L before = first.look();
        for (int look = 1; ; look++) {
            E together = rest.read(before);
            L after = first.look();
            if (after.equals(before) || look == MOST_LOOKS) {
                return together;
            }
            before = after;
        }
    }
}
