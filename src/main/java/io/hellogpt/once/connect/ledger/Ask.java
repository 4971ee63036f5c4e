package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.core.Effect;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * One attempt that wants to be carried out.
 *
 * @param recovery what its route's class allows when an earlier attempt is in doubt
 * @param fingerprint see {@link Fingerprints}
 * @param fenced the asker has lost this effect to another task before, and so must not take it back while that one may be in
 *     its call: two that take from each other would never end
 */
public record Ask(Effect effect, Recovery recovery, String fingerprint, boolean fenced) {
    public Ask {
        Objects.requireNonNull(effect, "effect");
        Objects.requireNonNull(recovery, "recovery");
        Objects.requireNonNull(fingerprint, "fingerprint");
    }

    public static Ask of(Effect effect, Recovery recovery) {
        return new Ask(effect, recovery, Fingerprints.of(effect), false);
    }

    /** The same attempt, asked again by who has lost it. */
    public Ask afterLosing() {
        return new Ask(effect, recovery, fingerprint, true);
    }

    public String effectId() {
        return effect.id().toString();
    }

    /** Nothing may be sent; only find out whether an earlier attempt was carried out. */
    public boolean probe() {
        return effect.probe();
    }

    /** Which life of the request_id the effect belongs to, as the ledger writes it. */
    String life() {
        return effect.requestReceivedAt().toString();
    }

    /** The exact bytes a first send of this effect carries. */
    public byte[] body() {
        return effect.payload().getBytes(StandardCharsets.UTF_8);
    }
}
