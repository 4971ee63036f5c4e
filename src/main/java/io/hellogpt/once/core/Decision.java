package io.hellogpt.once.core;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What a {@link DecisionPolicy} makes of a snapshot. */
public sealed interface Decision {
    /** Why, for people and the audit log. */
    String reason();

    /**
     * Carry out these effects, then commit; with none, commit at once.
     *
     * @param effects in the order of their steps
     */
    record Proceed(String reason, List<PlannedEffect> effects) implements Decision {
        public Proceed {
            Objects.requireNonNull(reason, "reason");
            effects = List.copyOf(effects);
        }
    }

    /**
     * A person must say yes or no first.
     *
     * @param effects what is carried out once approved
     */
    record Hold(String reason, List<PlannedEffect> effects) implements Decision {
        public Hold {
            Objects.requireNonNull(reason, "reason");
            effects = List.copyOf(effects);
        }
    }

    /** The answer is not to be acted on: the request fails with this reason. */
    record Refuse(String reason) implements Decision {
        public Refuse {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * An effect to carry out.
     *
     * @param stage effects of one stage run side by side; stages run in ascending order
     * @param payload JSON object for the route
     * @param pivot once this effect has succeeded there is no way back
     */
    record PlannedEffect(
            String name, String route, int stage, String payload, Optional<Compensation> compensation, boolean pivot) {
        public PlannedEffect {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(route, "route");
            Objects.requireNonNull(payload, "payload");
            Objects.requireNonNull(compensation, "compensation");
        }
    }
}
