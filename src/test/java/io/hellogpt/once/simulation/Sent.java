package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import java.time.Instant;

/** One record on {@code requests}. */
record Sent(int offset, ModelRequest request, Fingerprint fingerprint, Instant appendedAt) {
    RequestId id() {
        return request.id();
    }

    SourcePosition position() {
        return new SourcePosition("requests", 0, offset);
    }

    Kind kind() {
        return Kind.valueOf(request.model());
    }
}
