package io.hellogpt.once.core;

import io.hellogpt.once.core.Decision.PlannedEffect;
import java.util.Optional;

/** Makes the effect that bills a snapshot, or none where nothing is billed. Pure, like a {@link DecisionPolicy}. */
@FunctionalInterface
public interface BillingPolicy {
    BillingPolicy NONE = snapshot -> Optional.empty();

    Optional<PlannedEffect> bill(Snapshot snapshot);
}
