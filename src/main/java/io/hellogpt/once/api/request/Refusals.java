package io.hellogpt.once.api.request;

import io.hellogpt.once.api.Problem;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;

/** What the system refuses, as a client over HTTP is told. */
final class Refusals {
    private Refusals() {}

    static Problem of(Rejection.Reason reason, String detail) {
        Problem.Kind kind = switch (reason) {
            case MALFORMED, INVALID -> Problem.Kind.INVALID;
            case CONFLICT -> Problem.Kind.CONFLICT;
            case EXPIRED -> Problem.Kind.EXPIRED;
            case TOO_LARGE -> Problem.Kind.TOO_LARGE;
            case PROCESSING_ERROR -> Problem.Kind.INTERNAL;
        };
        return Problem.of(kind, detail).with("reason", reason.name());
    }

    static Problem conflict(RequestId id, Fingerprint sent, Fingerprint known) {
        return Problem.of(
                        Problem.Kind.CONFLICT,
                        "the key %s was sent before with other content; nothing was changed. Use another key for another request"
                                .formatted(id))
                .with("request_id", id.value())
                .with("fingerprint", sent.hex())
                .with("known_fingerprint", known.hex());
    }
}
