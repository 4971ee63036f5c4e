package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Which request of an id a record speaks of: an id may come with other content, and be used again once it is forgotten. What is
 * said about another life of an id must never count in this one.
 *
 * @param receivedAt when that request was received; also orders feedback ahead of newer requests
 * @param fingerprint of its content; empty in records that a version before 0.2 wrote
 */
public record Life(Instant receivedAt, Optional<Fingerprint> fingerprint) {
    public Life {
        Objects.requireNonNull(receivedAt, "receivedAt");
        Objects.requireNonNull(fingerprint, "fingerprint");
    }

    static Life of(Identity identity) {
        return new Life(identity.receivedAt(), Optional.of(identity.fingerprint()));
    }

    boolean isOf(Identity identity) {
        return receivedAt.equals(identity.receivedAt())
                && fingerprint.map(identity.fingerprint()::equals).orElse(true);
    }

    boolean isOlderThan(Life other) {
        return receivedAt.isBefore(other.receivedAt);
    }
}
