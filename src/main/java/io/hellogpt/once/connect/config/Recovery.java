package io.hellogpt.once.connect.config;

import java.time.Duration;
import java.util.Objects;

/** The class of a route with what that class needs: what may be done when it is not known whether an attempt took effect. */
public sealed interface Recovery {
    /** The class as it is named in settings and in the ledger. */
    EffectClass effectClass();

    /** Nothing to recover: the effect commits with its row or not at all. */
    record Local() implements Recovery {
        @Override
        public EffectClass effectClass() {
            return EffectClass.LOCAL;
        }
    }

    /**
     * The same key with the same bytes again.
     *
     * @param header name of the header that carries the key
     * @param quoted send the key as a structured-field string, in double quotes
     * @param window how long the receiver remembers a key, counted from the first send
     * @param late how long after its claim a send may still reach the receiver; what would arrive past the window is not sent
     */
    record Keyed(String header, boolean quoted, Duration window, Duration late) implements Recovery {
        public Keyed {
            Objects.requireNonNull(header, "header");
            Objects.requireNonNull(window, "window");
            Objects.requireNonNull(late, "late");
        }

        @Override
        public EffectClass effectClass() {
            return EffectClass.KEYED;
        }
    }

    /**
     * Ask, and send again only what is definitely absent.
     *
     * @param urlTemplate answers 2xx for a known effect, 404 for one that never arrived
     * @param settle how long after a send the receiver may still be about to record it
     */
    record Probeable(String urlTemplate, Duration settle) implements Recovery {
        public Probeable {
            Objects.requireNonNull(urlTemplate, "urlTemplate");
            Objects.requireNonNull(settle, "settle");
        }

        @Override
        public EffectClass effectClass() {
            return EffectClass.PROBEABLE;
        }
    }

    /**
     * Report UNKNOWN.
     *
     * @param atLeastOnce send again instead, because the route's owner prefers a second effect over a missing one
     */
    record Opaque(boolean atLeastOnce) implements Recovery {
        @Override
        public EffectClass effectClass() {
            return EffectClass.OPAQUE;
        }
    }
}
