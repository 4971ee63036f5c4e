package io.hellogpt.once.api;

import java.util.Objects;
import java.util.Set;

/**
 * Who asks.
 *
 * @param name of the token, never the token; goes into logs and the audit trail
 */
public record Caller(String name, Set<Role> roles) {
    /** Nobody in particular; for pages that need no login. */
    public static final Caller NOBODY = new Caller("nobody", Set.of());

    public Caller {
        Objects.requireNonNull(name, "name");
        roles = Set.copyOf(roles);
    }

    public boolean may(Role role) {
        return roles.contains(role);
    }
}
