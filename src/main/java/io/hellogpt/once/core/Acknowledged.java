package io.hellogpt.once.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The decision is recorded; its effects are being carried out. */
public record Acknowledged(Identity identity, String snapshot, String decision, EffectPlan plan, Instant acknowledgedAt)
        implements RequestState.Open {
    public Acknowledged {
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(snapshot, "snapshot");
        Objects.requireNonNull(decision, "decision");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(acknowledgedAt, "acknowledgedAt");
    }

    @Override
    public Status status() {
        return Status.ACKNOWLEDGED;
    }

    @Override
    public Optional<String> snapshotSha256() {
        return Optional.of(snapshot);
    }

    @Override
    public Set<Timer> timers() {
        Timer next = plan.timer(identity.id(), acknowledgedAt);
        // Past the pivot there is only forward: the request's deadline no longer means anything.
        return plan.pastPivot() ? Set.of(next) : Timer.withDeadline(identity, next);
    }

    @Override
    public Acknowledged with(EffectPlan next) {
        return new Acknowledged(identity, snapshot, decision, next, acknowledgedAt);
    }

    @Override
    public Acknowledged with(Identity next) {
        return new Acknowledged(next, snapshot, decision, plan, acknowledgedAt);
    }

    Committed committed(Moment moment, Duration retention) {
        return new Committed(
                identity,
                snapshot,
                decision,
                plan,
                moment.now(),
                moment.endOfRequest().plus(retention));
    }

    Compensating compensating(Failure failure) {
        return new Compensating(identity, failure, snapshot, plan);
    }

    Held held(Hold hold, Moment moment, Duration holdTimeout) {
        return new Held(
                identity,
                hold,
                Optional.empty(),
                snapshot,
                plan,
                moment.now(),
                moment.now().plus(holdTimeout));
    }
}
