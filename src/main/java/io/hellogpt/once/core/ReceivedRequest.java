package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;

/**
 * A well-formed request as read from the log.
 *
 * @param receivedAt the broker's append time of the record at {@code source}
 */
public record ReceivedRequest(
        ModelRequest request, Fingerprint fingerprint, SourcePosition source, Instant receivedAt) {
    public ReceivedRequest {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(receivedAt, "receivedAt");
    }

    public RequestId id() {
        return request.id();
    }
}
