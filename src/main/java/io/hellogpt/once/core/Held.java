package io.hellogpt.once.core;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A person must decide.
 *
 * @param request kept while a policy may have to decide again
 * @param reportAt when it is reported again
 */
public record Held(
        Identity identity,
        Hold hold,
        Optional<ModelRequest> request,
        String snapshot,
        EffectPlan plan,
        Instant heldAt,
        Instant reportAt)
        implements RequestState.Open {
    public Held {
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(hold, "hold");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(snapshot, "snapshot");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(heldAt, "heldAt");
        Objects.requireNonNull(reportAt, "reportAt");
    }

    @Override
    public Status status() {
        return Status.HELD;
    }

    @Override
    public Optional<String> snapshotSha256() {
        return Optional.of(snapshot);
    }

    @Override
    public Set<Timer> timers() {
        Set<Timer> timers = new LinkedHashSet<>();
        timers.add(Timer.of(Timer.Kind.HOLD, reportAt, identity.id()));
        plan.nextDue().ifPresent(due -> timers.add(Timer.of(Timer.Kind.EFFECT, due, identity.id())));
        return timers;
    }

    @Override
    public Held with(EffectPlan next) {
        return new Held(identity, hold, request, snapshot, next, heldAt, reportAt);
    }

    @Override
    public Held with(Identity next) {
        return new Held(next, hold, request, snapshot, plan, heldAt, reportAt);
    }

    Held reportedAgain(Instant next) {
        return new Held(identity, hold, request, snapshot, plan, heldAt, next);
    }

    Held because(Hold newHold) {
        return new Held(identity, newHold, request, snapshot, plan, heldAt, reportAt);
    }

    /** It was on its way back when it was held, and has a failure to end with. */
    boolean isFailing() {
        return hold.failure().isPresent();
    }

    /** What it waits for has come about: nothing is wrong any more of what it was held for. */
    boolean isClear() {
        return switch (hold.reason()) {
            case EFFECT_UNKNOWN -> !plan.any(Progress.Status.UNKNOWN);
            case EFFECT_FAILED -> !plan.any(Progress.Status.FAILED);
            case BILLING_FAILED ->
                plan.billing().map(step -> step.forward().isPassed()).orElse(true);
            case COMPENSATION_STUCK -> !plan.anyUndoStuck();
            case APPROVAL, POLICY_ERROR, PROCESSING_ERROR -> false;
        };
    }

    /** Back to where it was held: to its compensation, or to its effects. */
    RequestState.Open goesOn(String decision, Moment moment) {
        return hold.failure()
                .<RequestState.Open>map(this::compensating)
                .orElseGet(() -> resumed(decision, plan, moment.now()));
    }

    Acknowledged resumed(String decision, EffectPlan next, Instant at) {
        return new Acknowledged(identity, snapshot, decision, next, at);
    }

    Compensating compensating(Failure failure) {
        return new Compensating(identity, failure, snapshot, plan);
    }
}
