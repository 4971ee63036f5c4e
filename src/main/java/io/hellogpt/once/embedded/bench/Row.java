package io.hellogpt.once.embedded.bench;

import java.util.Optional;

/**
 * One figure of a run.
 *
 * @param id of the benchmark, B1 to B13, with a letter behind it where a benchmark has several figures
 * @param what it is
 * @param value measured
 * @param unit of the value
 * @param aim that was set before anything was measured; none for a figure that only explains another
 * @param detail how it came about, in words
 */
record Row(String id, String what, double value, String unit, Optional<Aim> aim, String detail) {
    static Row judged(String id, String what, double value, String unit, Aim aim, String detail) {
        return new Row(id, what, value, unit, Optional.of(aim), detail);
    }

    static Row noted(String id, String what, double value, String unit, String detail) {
        return new Row(id, what, value, unit, Optional.empty(), detail);
    }

    /** Whether the aim is met; a figure without an aim has nothing to miss. */
    boolean met() {
        return aim.map(set -> set.isMetBy(value)).orElse(true);
    }
}
