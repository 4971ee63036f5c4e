package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;

/** Took effect, once. */
public record Committed(
        Identity identity, String snapshot, String decision, EffectPlan plan, Instant endedAt, Instant expiresAt)
        implements RequestState.Ended {
    public Committed {
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(snapshot, "snapshot");
        Objects.requireNonNull(decision, "decision");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(endedAt, "endedAt");
        Objects.requireNonNull(expiresAt, "expiresAt");
    }

    @Override
    public Status status() {
        return Status.COMMITTED;
    }

    @Override
    public Committed with(EffectPlan next) {
        return new Committed(identity, snapshot, decision, next, endedAt, expiresAt);
    }

    @Override
    public Committed with(Identity next) {
        return new Committed(next, snapshot, decision, plan, endedAt, expiresAt);
    }
}
