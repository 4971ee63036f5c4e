package io.hellogpt.once.core;

import io.hellogpt.once.core.Decision.PlannedEffect;
import java.util.Objects;
import java.util.Optional;

/**
 * One planned effect and how far it, and its compensation, have come.
 *
 * @param step position in the decision, part of the effect_id; {@link EffectPlan#BILLING} is billing
 * @param undo present once its compensation has begun
 */
public record EffectStep(int step, PlannedEffect planned, Progress forward, Optional<Progress> undo) {
    public EffectStep {
        Objects.requireNonNull(planned, "planned");
        Objects.requireNonNull(forward, "forward");
        Objects.requireNonNull(undo, "undo");
    }

    boolean isBilling() {
        return step == EffectPlan.BILLING;
    }

    /** The progress an outcome for {@code id} is about. */
    Optional<Progress> progressOf(EffectId id) {
        return id.undo() ? undo : Optional.of(forward);
    }

    EffectStep with(boolean undoing, Progress progress) {
        return undoing
                ? new EffectStep(step, planned, forward, Optional.of(progress))
                : new EffectStep(step, planned, progress, undo);
    }

    /** Carried out, can be undone, and has not been. */
    boolean needsCompensation() {
        return forward.status() == Progress.Status.SUCCEEDED
                && planned.compensation().isPresent()
                && undo.map(progress -> !progress.isPassed()).orElse(true);
    }
}
