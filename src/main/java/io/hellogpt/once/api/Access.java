package io.hellogpt.once.api;

import java.util.EnumSet;
import java.util.Optional;

/** Tells who a caller is. Safe for use by several threads. */
@FunctionalInterface
public interface Access {
    /** Whoever reaches the server may do everything; for loopback only. */
    Access OPEN = authorization -> new Caller("local", EnumSet.allOf(Role.class));

    /**
     * Identifies a caller.
     *
     * @param authorization the header of that name
     * @throws ProblemException 401, when it names nobody
     */
    Caller identify(Optional<String> authorization);
}
