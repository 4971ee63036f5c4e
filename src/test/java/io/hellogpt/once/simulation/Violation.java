package io.hellogpt.once.simulation;

/** A guarantee is broken, or the protocol threw. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String guarantee;

    Violation(String guarantee, String message) {
        super(guarantee + ": " + message);
        this.guarantee = guarantee;
    }

    Violation(String guarantee, String message, Throwable cause) {
        super(guarantee + ": " + message, cause);
        this.guarantee = guarantee;
    }

    /** Which one, e.g. {@code G1}. */
    String guarantee() {
        return guarantee;
    }

    static void unless(boolean holds, String guarantee, Object about, String message) {
        if (!holds) {
            throw new Violation(guarantee, about + ": " + message);
        }
    }
}
