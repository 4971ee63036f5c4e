package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import java.time.Instant;

/**
 * One record on {@code requests}.
 *
 * @param misplaced its producer put it in another partition than the id belongs to
 */
record Sent(int offset, ModelRequest request, Fingerprint fingerprint, Instant appendedAt, boolean misplaced) {
    RequestId id() {
        return request.id();
    }

    SourcePosition position() {
        return new SourcePosition("requests", 0, offset);
    }

    Kind kind() {
        return Kind.valueOf(request.model());
    }

    LifeKey life() {
        return new LifeKey(id(), appendedAt, fingerprint);
    }

    /** Tells the requests apart that come under one id. */
    record LifeKey(RequestId id, Instant receivedAt, Fingerprint fingerprint) {
        static LifeKey of(Identity identity) {
            return new LifeKey(identity.id(), identity.receivedAt(), identity.fingerprint());
        }
    }
}
