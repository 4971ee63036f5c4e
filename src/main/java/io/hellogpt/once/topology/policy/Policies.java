package io.hellogpt.once.topology.policy;

import io.hellogpt.once.core.DecisionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The decision policies there are, by name, each held to decisions that can be carried out. */
public final class Policies {
    /** Effects in one decision, unless the configuration says otherwise. */
    public static final int MAX_EFFECTS = 256;

    private final Map<String, DecisionPolicy> byName;

    private Policies(Map<String, DecisionPolicy> byName) {
        this.byName = byName;
    }

    /**
     * Every policy {@link ServiceLoader} finds, and those made from configuration.
     *
     * @throws IllegalStateException when two have the same name: which one decides must not depend on the class path's order
     */
    public static Policies installed(List<? extends DecisionPolicy> configured, int maxEffects) {
        List<DecisionPolicy> all = new ArrayList<>(configured);
        ServiceLoader.load(DecisionPolicy.class).forEach(all::add);
        return of(all, maxEffects);
    }

    public static Policies of(Iterable<? extends DecisionPolicy> policies) {
        return of(policies, MAX_EFFECTS);
    }

    static Policies of(Iterable<? extends DecisionPolicy> policies, int maxEffects) {
        Map<String, DecisionPolicy> byName = new TreeMap<>();
        for (DecisionPolicy policy : policies) {
            DecisionPolicy other = byName.put(policy.name(), new SoundDecision(policy, maxEffects));
            if (other instanceof SoundDecision known) {
                throw new IllegalStateException("two policies are named '%s': %s and %s"
                        .formatted(
                                policy.name(),
                                known.policy().getClass().getName(),
                                policy.getClass().getName()));
            }
        }
        return new Policies(byName);
    }

    public boolean isKnown(String name) {
        return byName.containsKey(name);
    }

    public Optional<DecisionPolicy> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** In alphabetical order. */
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }
}
