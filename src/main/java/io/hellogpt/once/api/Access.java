package io.hellogpt.once.api;

import java.util.EnumSet;
import java.util.Optional;
import java.util.regex.Pattern;

/** Tells who a caller is. Safe for use by several threads. */
@FunctionalInterface
public interface Access {
    /** What a browser or a client calls this machine when it is on it. */
    Pattern LOOPBACK = Pattern.compile("(?i)(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?");

    /** Whoever is on this machine may do everything; for a server that listens on loopback only. */
    Access LOCAL = (authorization, host) -> {
        if (host.filter(name -> LOOPBACK.matcher(name).matches()).isEmpty()) {
            // A page from elsewhere can make a browser on this machine call, under a name that it lets point here.
            throw Problem.of(
                            Problem.Kind.FORBIDDEN,
                            "without tokens only callers on this machine are answered, under localhost or a loopback address")
                    .asException();
        }
        return new Caller("local", EnumSet.allOf(Role.class));
    };

    /**
     * Identifies a caller.
     *
     * @param authorization the header of that name
     * @param host the header of that name
     * @throws ProblemException 401 when it names nobody
     */
    Caller identify(Optional<String> authorization, Optional<String> host);
}
