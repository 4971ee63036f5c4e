package io.hellogpt.once.embedded.chaos;

import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * One fault, ready to be injected once.
 *
 * @param target what it hits, for people
 * @param claims what no other fault may touch meanwhile
 * @param recovered returns when what was hit can be used again
 * @param hit whether it has hit something, asked when it is over: a cut where nobody wanted to pass has not happened
 */
record Fault(String target, Set<String> claims, Action inject, Action heal, Action recovered, BooleanSupplier hit) {
    /** A step of a fault. */
    interface Action {
        Action NOTHING = () -> {};

        void run() throws Exception;
    }

    Fault {
        claims = Set.copyOf(claims);
    }

    /** A fault that hits whatever it is aimed at. */
    static Fault sure(String target, Set<String> claims, Action inject, Action heal, Action recovered) {
        return new Fault(target, claims, inject, heal, recovered, () -> true);
    }
}
