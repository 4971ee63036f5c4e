package io.hellogpt.once.topology;

import io.hellogpt.once.core.Fact;

/**
 * Sees every applied fact, for meters. Called on stream threads; must not block or throw. A fact of a transaction that is
 * aborted later is seen again when it is redone.
 */
@FunctionalInterface
public interface FactObserver {
    FactObserver NONE = fact -> {};

    void applied(Fact fact);
}
