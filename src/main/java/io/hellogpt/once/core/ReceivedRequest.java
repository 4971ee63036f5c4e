package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A well-formed request as read from the log.
 *
 * @param receivedAt the broker's append time of the record at {@code source}
 * @param trace the trace whoever sent it has begun
 */
public record ReceivedRequest(
        ModelRequest request,
        Fingerprint fingerprint,
        SourcePosition source,
        Instant receivedAt,
        Optional<TraceContext> trace) {
    public ReceivedRequest {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(receivedAt, "receivedAt");
        Objects.requireNonNull(trace, "trace");
    }

    /** A request whose sender traces nothing. */
    public ReceivedRequest(ModelRequest request, Fingerprint fingerprint, SourcePosition source, Instant receivedAt) {
        this(request, fingerprint, source, receivedAt, Optional.empty());
    }

    public RequestId id() {
        return request.id();
    }
}
