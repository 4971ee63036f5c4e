package io.hellogpt.once.core;

import io.hellogpt.once.core.Decision.PlannedEffect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The effects of one decision and how far each has come. Immutable; each change gives a new plan.
 *
 * @param steps billing first if there is billing, then the decision's effects in their order
 */
public record EffectPlan(List<EffectStep> steps) {
    /** The step of the billing effect. It holds up no stage, is never compensated, and must succeed before any ending. */
    public static final int BILLING = 0;

    public static final EffectPlan NONE = new EffectPlan(List.of());

    public EffectPlan {
        steps = List.copyOf(steps);
    }

    static EffectPlan of(Optional<PlannedEffect> billing, List<PlannedEffect> effects) {
        Stream<EffectStep> bill =
                billing.stream().map(effect -> new EffectStep(BILLING, effect, Progress.WAITING, Optional.empty()));
        Stream<EffectStep> rest = IntStream.range(0, effects.size())
                .mapToObj(i -> new EffectStep(i + 1, effects.get(i), Progress.WAITING, Optional.empty()));
        return new EffectPlan(Stream.concat(bill, rest).toList());
    }

    public Optional<EffectStep> step(int number) {
        return steps.stream().filter(step -> step.step() == number).findFirst();
    }

    Optional<EffectStep> billing() {
        return step(BILLING);
    }

    List<EffectStep> decided() {
        return steps.stream().filter(step -> !step.isBilling()).toList();
    }

    EffectPlan with(int number, boolean undoing, Progress progress) {
        List<EffectStep> changed = new ArrayList<>(steps);
        changed.replaceAll(step -> step.step() == number ? step.with(undoing, progress) : step);
        return new EffectPlan(changed);
    }

    /** This plan's steps, billing among them, followed by another's. */
    EffectPlan and(EffectPlan more) {
        return new EffectPlan(Stream.concat(steps.stream(), more.steps.stream()).toList());
    }

    /** Nothing is due before {@code time}. */
    EffectPlan postponed(Instant time) {
        return rescheduled(due -> due.isBefore(time) ? time : due);
    }

    /** What waits for its time is due at {@code now}. */
    EffectPlan hastened(Instant now) {
        return rescheduled(due -> due.isAfter(now) ? now : due);
    }

    private EffectPlan rescheduled(UnaryOperator<Instant> when) {
        return each(progress -> progress.rescheduled(when));
    }

    /** What was said last about each effect is cut short. */
    EffectPlan brief() {
        return each(Progress::brief);
    }

    private EffectPlan each(UnaryOperator<Progress> change) {
        return new EffectPlan(steps.stream()
                .map(step -> new EffectStep(
                        step.step(),
                        step.planned(),
                        change.apply(step.forward()),
                        step.undo().map(change)))
                .toList());
    }

    /** Keeps billing, forgets the decision's effects: none of them will be carried out. */
    EffectPlan billingOnly() {
        return new EffectPlan(steps.stream().filter(EffectStep::isBilling).toList());
    }

    /** The earliest stage that has not passed. */
    OptionalInt currentStage() {
        return decided().stream()
                .filter(step -> !step.forward().isPassed())
                .mapToInt(step -> step.planned().stage())
                .min();
    }

    boolean any(Progress.Status status) {
        return decided().stream().anyMatch(step -> step.forward().status() == status);
    }

    boolean pastPivot() {
        return decided().stream()
                .anyMatch(step -> step.planned().pivot() && step.forward().status() == Progress.Status.SUCCEEDED);
    }

    boolean anyUndoBegun() {
        return steps.stream().anyMatch(step -> step.undo().isPresent());
    }

    /** A compensation has ended and is not done. */
    boolean anyUndoStuck() {
        return steps.stream()
                .flatMap(step -> step.undo().stream())
                .anyMatch(progress -> progress.isSettled() && !progress.isPassed());
    }

    /** What certainly was not carried out will not be tried again once the request goes back. */
    EffectPlan withoutRetries() {
        EffectPlan calm = this;
        for (EffectStep step : decided()) {
            if (step.forward().status() == Progress.Status.RETRYING
                    && !step.forward().inDoubt()) {
                calm = calm.with(
                        step.step(),
                        false,
                        step.forward()
                                .settled(
                                        Progress.Status.FAILED,
                                        "not tried again: the request goes back",
                                        Optional.empty()));
            }
        }
        return calm;
    }

    boolean anyOut() {
        return steps.stream().anyMatch(step -> step.forward().isOut());
    }

    /** An effect whose compensation has begun and is not done. */
    Optional<EffectStep> compensationBegun() {
        return decided().stream()
                .filter(step ->
                        step.undo().filter(progress -> !progress.isPassed()).isPresent())
                .findFirst();
    }

    /** The next effect to undo: the last one carried out that can be and has not been. */
    Optional<EffectStep> nextCompensation() {
        return decided().stream().filter(EffectStep::needsCompensation).max(Comparator.comparingInt(EffectStep::step));
    }

    /** When something here is due next. */
    Optional<Instant> nextDue() {
        return steps.stream()
                .flatMap(step ->
                        Stream.concat(step.forward().dueAt().stream(), step.undo().flatMap(Progress::dueAt).stream()))
                .min(Comparator.naturalOrder());
    }

    /** Looks at what is due here; {@code otherwise} when nothing is, so that no unfinished request is without a timer. */
    Timer timer(RequestId id, Instant otherwise) {
        return Timer.of(Timer.Kind.EFFECT, nextDue().orElse(otherwise), id);
    }
}
