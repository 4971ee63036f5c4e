package io.hellogpt.once.topology;

import io.hellogpt.once.core.RequestId;

/** A record that is larger than its topic takes. Thrown before anything of the step is written. */
final class OversizeRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OversizeRecordException(RequestId id, String what, int bytes, int limit) {
        super("request_id=%s: its %s has %d bytes, at most %d are allowed".formatted(id, what, bytes, limit));
    }
}
