package io.hellogpt.once.schema;

import io.hellogpt.once.core.Rejection.Reason;

/** Why a value is no request, on its way from where it was noticed to {@link RequestDecoder}; it goes no further. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    // No stack trace: refused records may come in their thousands a second.
    private Refusal(Reason reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    static Refusal malformed(String detail) {
        return new Refusal(Reason.MALFORMED, detail);
    }

    static Refusal invalid(String detail) {
        return new Refusal(Reason.INVALID, detail);
    }

    static Refusal tooLarge(String detail) {
        return new Refusal(Reason.TOO_LARGE, detail);
    }

    Reason reason() {
        return reason;
    }
}
