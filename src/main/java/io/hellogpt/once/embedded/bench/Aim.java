package io.hellogpt.once.embedded.bench;

/**
 * A bound.
 *
 * @param least whether the value must be at least the bound, rather than at most
 */
record Aim(boolean least, double bound) {
    static Aim atLeast(double bound) {
        return new Aim(true, bound);
    }

    static Aim atMost(double bound) {
        return new Aim(false, bound);
    }

    boolean isMetBy(double value) {
        return least ? value >= bound : value <= bound;
    }

    @Override
    public String toString() {
        return (least ? ">= " : "<= ")
                + (bound == Math.rint(bound) ? "%,.0f".formatted(bound) : "%,.2f".formatted(bound));
    }
}
