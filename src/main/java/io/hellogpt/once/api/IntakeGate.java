package io.hellogpt.once.api;

import java.time.Duration;
import java.util.Optional;

/** Says whether this instance takes new requests. Safe for use by several threads. */
@FunctionalInterface
public interface IntakeGate {
    /** Why not, or empty when it does. Duplicates of what is known are answered all the same. */
    Optional<Closed> closed();

    /** @param overloaded too much waits already; otherwise the work is paused */
    record Closed(boolean overloaded, String reason, Duration retryAfter) {
        /** What a client is told. */
        public Problem problem() {
            return Problem.of(
                            overloaded ? Problem.Kind.OVERLOADED : Problem.Kind.UNAVAILABLE,
                            reason + "; nothing was taken, send the same request again later")
                    .retryAfter(retryAfter);
        }
    }
}
