package io.hellogpt.once.replay;

import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.PolicySet;
import io.hellogpt.once.ops.Settings;
import io.hellogpt.once.replay.capture.Manifest;
import io.hellogpt.once.topology.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which policies decide in a replay: the recorded ones, unless others are asked for. */
final class ReplayPolicies {
    private ReplayPolicies() {}

    /** @param config the recorded settings, with those that are asked for in their place */
    static Policies of(OnceConfig config, Manifest manifest, ReplayOptions options) {
        return policies(PolicySet.of(config, toolRules(config, manifest, options)), options.policy());
    }

    /** The recorded rules, unless others are asked for; a capture made before they were kept names their file alone. */
    private static Optional<String> toolRules(OnceConfig config, Manifest manifest, ReplayOptions options) {
        boolean others = options.configuration().containsKey(Settings.POLICY_TOOL_CALLS_FILE);
        return Optional.ofNullable(manifest.files().get(Settings.POLICY_TOOL_CALLS_FILE))
                .filter(recorded -> !others)
                .or(() -> PolicySet.toolRules(config));
    }

    private static Policies policies(Policies known, Optional<DecisionPolicy> other) {
        if (other.isEmpty()) {
            return known;
        }
        DecisionPolicy policy = other.get();
        List<DecisionPolicy> all = new ArrayList<>();
        known.names().forEach(name -> all.add(new Renamed(name, policy)));
        if (!known.isKnown(policy.name())) {
            all.add(policy);
        }
        return Policies.of(all);
    }

    /** Another policy under the name of one that requests ask for. */
    private record Renamed(String name, DecisionPolicy policy) implements DecisionPolicy {
        @Override
        public Decision decide(ModelRequest request, Snapshot snapshot) {
            return policy.decide(request, snapshot);
        }
    }
}
