package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** Did not take effect, or took it back. */
public record Failed(
        Identity identity,
        Failure failure,
        Optional<String> snapshot,
        EffectPlan plan,
        Instant endedAt,
        Instant expiresAt)
        implements RequestState.Ended {
    public Failed {
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(failure, "failure");
        Objects.requireNonNull(snapshot, "snapshot");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(endedAt, "endedAt");
        Objects.requireNonNull(expiresAt, "expiresAt");
    }

    @Override
    public Status status() {
        return Status.FAILED;
    }

    @Override
    public Failed with(EffectPlan next) {
        return new Failed(identity, failure, snapshot, next, endedAt, expiresAt);
    }

    @Override
    public Failed with(Identity next) {
        return new Failed(next, failure, snapshot, plan, endedAt, expiresAt);
    }
}
