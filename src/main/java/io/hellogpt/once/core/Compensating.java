package io.hellogpt.once.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Going back: carried-out effects are undone one at a time, in reverse order, and the answer is billed; then FAILED. */
public record Compensating(Identity identity, Failure failure, String snapshot, EffectPlan plan)
        implements RequestState.Open {
    public Compensating {
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(failure, "failure");
        Objects.requireNonNull(snapshot, "snapshot");
        Objects.requireNonNull(plan, "plan");
    }

    @Override
    public Status status() {
        return Status.COMPENSATING;
    }

    @Override
    public Optional<String> snapshotSha256() {
        return Optional.of(snapshot);
    }

    @Override
    public Set<Timer> timers() {
        return Set.of(plan.timer(identity.id(), identity.receivedAt()));
    }

    @Override
    public Compensating with(EffectPlan next) {
        return new Compensating(identity, failure, snapshot, next);
    }

    @Override
    public Compensating with(Identity next) {
        return new Compensating(next, failure, snapshot, plan);
    }

    /** The pivot succeeded before anything was undone. */
    Acknowledged forwardAgain(String decision, Instant at) {
        return new Acknowledged(identity, snapshot, decision, plan, at);
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
