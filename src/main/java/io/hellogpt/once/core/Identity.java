package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** What stays the same about a request through all its states, and what dedup compares. */
public record Identity(
        RequestId id, Fingerprint fingerprint, SourcePosition source, Instant receivedAt, Optional<Instant> deadline) {
    public Identity {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(receivedAt, "receivedAt");
        Objects.requireNonNull(deadline, "deadline");
    }

    static Identity of(ReceivedRequest received) {
        return new Identity(
                received.id(),
                received.fingerprint(),
                received.source(),
                received.receivedAt(),
                received.request().deadline());
    }
}
