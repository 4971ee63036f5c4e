package io.hellogpt.once.core;

import java.util.Objects;

/**
 * SHA-256, in lower-case hex, over the canonical form of the fields that make two requests the same request. Which fields
 * count is written at {@code io.hellogpt.once.schema.CanonicalForm}.
 *
 * @param hex 64 hexadecimal digits
 */
public record Fingerprint(String hex) {
    public Fingerprint {
        Objects.requireNonNull(hex, "hex");
    }

    @Override
    public String toString() {
        return hex;
    }
}
