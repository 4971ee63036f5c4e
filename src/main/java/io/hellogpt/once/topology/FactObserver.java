package io.hellogpt.once.topology;

import io.hellogpt.once.core.Fact;
import java.util.List;

/**
 * Sees every applied fact, for meters and traces. Called on stream threads; must not block or throw. A fact of a transaction that is
 * aborted later is seen again when it is redone.
 */
@FunctionalInterface
public interface FactObserver {
    FactObserver NONE = fact -> {};

    void applied(Fact fact);

    /** The facts of one step of one request, in order. */
    default void appliedTogether(List<Fact> facts) {
        facts.forEach(this::applied);
    }

    /** Both see everything, one after the other. */
    static FactObserver both(FactObserver first, FactObserver second) {
        return new FactObserver() {
            @Override
            public void applied(Fact fact) {
                first.applied(fact);
                second.applied(fact);
            }

            @Override
            public void appliedTogether(List<Fact> facts) {
                first.appliedTogether(facts);
                second.appliedTogether(facts);
            }
        };
    }
}
