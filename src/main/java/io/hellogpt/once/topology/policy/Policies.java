package io.hellogpt.once.topology.policy;

import io.hellogpt.once.core.DecisionPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The installed decision policies, by name. */
public final class Policies {
    private final Map<String, DecisionPolicy> byName;

    private Policies(Map<String, DecisionPolicy> byName) {
        this.byName = byName;
    }

    /**
     * Every policy {@link ServiceLoader} finds.
     *
     * @throws IllegalStateException when two have the same name: which one decides must not depend on the class path's order
     */
    public static Policies installed() {
        return of(ServiceLoader.load(DecisionPolicy.class));
    }

    public static Policies of(Iterable<? extends DecisionPolicy> policies) {
        return new Policies(StreamSupport.stream(policies.spliterator(), false)
                .collect(Collectors.toUnmodifiableMap(DecisionPolicy::name, Function.identity())));
    }

    public boolean isKnown(String name) {
        return byName.containsKey(name);
    }

    public Optional<DecisionPolicy> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }
}
