package io.hellogpt.once.ops.verify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one checker found.
 *
 * @param figures what was counted, in the order it should be read
 * @param violations each names the request it is about
 * @param notes what the verdict could not look at
 */
public record Verdict(
        Guarantee guarantee, Result result, Map<String, Long> figures, List<Violation> violations, List<String> notes) {
    public Verdict {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        violations = List.copyOf(violations);
        notes = List.copyOf(notes);
    }

    /** How it ended. */
    public enum Result {
        HELD,
        VIOLATED,
        /** Nothing contradicts the guarantee, but evidence is missing. */
        UNDECIDED
    }

    /**
     * One contradiction.
     *
     * @param requestId the request, when the evidence names one
     */
    public record Violation(Optional<String> requestId, String what) {}

    static Builder of(Guarantee guarantee) {
        return new Builder(guarantee);
    }

    /** Collects what a checker finds. */
    static final class Builder {
        private final Guarantee guarantee;
        private final Map<String, Long> figures = new LinkedHashMap<>();
        private final List<Violation> violations = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private boolean incomplete;

        private Builder(Guarantee guarantee) {
            this.guarantee = guarantee;
        }

        Builder count(String what, long number) {
            figures.merge(what, number, Long::sum);
            return this;
        }

        void violated(String requestId, String what) {
            violations.add(new Violation(Optional.of(requestId), what));
        }

        void violated(Optional<String> requestId, String what) {
            violations.add(new Violation(requestId, what));
        }

        void note(String note) {
            notes.add(note);
        }

        void incomplete(String why) {
            incomplete = true;
            notes.add(why);
        }

        Verdict build() {
            Result result = !violations.isEmpty() ? Result.VIOLATED : incomplete ? Result.UNDECIDED : Result.HELD;
            return new Verdict(guarantee, result, figures, violations, notes);
        }
    }
}
