package io.hellogpt.once.replay;

import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.RequestId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How a replay is to differ from what happened.
 *
 * @param policy decides every request, whichever policy it names
 * @param configuration settings with other values than recorded
 * @param until ends the replay when this request has ended
 */
public record ReplayOptions(
        Optional<DecisionPolicy> policy, Map<String, String> configuration, Optional<RequestId> until) {
    /** Exactly as it was. */
    public static final ReplayOptions AS_RECORDED = new ReplayOptions(Optional.empty(), Map.of(), Optional.empty());

    public ReplayOptions {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(until, "until");
        configuration = Map.copyOf(configuration);
    }

    public static ReplayOptions with(DecisionPolicy policy) {
        return new ReplayOptions(Optional.of(policy), Map.of(), Optional.empty());
    }

    /** Whether the question is what would be different, not whether anything is. */
    public boolean whatIf() {
        return policy.isPresent() || !configuration.isEmpty();
    }
}
