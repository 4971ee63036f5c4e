package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** What a person may do about effects that went wrong, in a request that is held. */
final class StuckEffects {

    /** The plan with another round of attempts for what failed; empty when nothing did. */
    Optional<EffectPlan> anotherRound(Held held, Instant now) {
        boolean postponed = held.hold().reason() == Hold.Reason.PROCESSING_ERROR;
        EffectPlan plan = postponed ? held.plan().hastened(now) : held.plan();
        boolean any = postponed;
        for (EffectStep step : held.plan().steps()) {
            // An effect that failed is not carried out any more once the request goes back; its answer is still billed.
            if (isFailed(step.forward()) && (step.isBilling() || !held.isFailing())) {
                plan = plan.with(step.step(), false, step.forward().anotherRound(now));
                any = true;
            }
            Optional<Progress> undo = step.undo().filter(StuckEffects::isFailed);
            if (undo.isPresent()) {
                plan = plan.with(step.step(), true, undo.get().anotherRound(now));
                any = true;
            }
        }
        return any ? Optional.of(plan) : Optional.empty();
    }

    /** What is known to have succeeded, or is on its way, is nobody's to settle; and there is no news in what is known. */
    boolean mayBecome(Optional<Progress> progress, Progress.Status end) {
        return progress.map(Progress::status)
                .filter(status -> status == Progress.Status.UNKNOWN || status == Progress.Status.FAILED)
                .filter(status -> status != end)
                .isPresent();
    }

    /** Nothing unknown is left, and what it was held for is about its effects. */
    boolean nothingUnknown(Held held) {
        boolean unknown = held.plan().steps().stream()
                .flatMap(step -> Stream.concat(Stream.of(step.forward()), step.undo().stream()))
                .anyMatch(progress -> progress.status() == Progress.Status.UNKNOWN);
        return !unknown
                && switch (held.hold().reason()) {
                    case EFFECT_UNKNOWN, EFFECT_FAILED, BILLING_FAILED, COMPENSATION_STUCK -> true;
                    case APPROVAL, POLICY_ERROR, PROCESSING_ERROR -> false;
                };
    }

    private static boolean isFailed(Progress progress) {
        return progress.status() == Progress.Status.FAILED;
    }
}
