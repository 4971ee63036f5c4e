package io.hellogpt.once.embedded;

import java.util.Locale;

/** A way the simulated model misbehaves. */
public enum SimulatedModelFault {
    /** 401, whatever the key. */
    UNAUTHORIZED(401),
    /** 429 with Retry-After. */
    RATE_LIMITED(429),
    /** 500. */
    SERVER_ERROR(500),
    /** 400. */
    REJECTED(400),
    /** No answer for a long time, then a closed connection. */
    TIMEOUT(0),
    /** 200, but the connection closes in the middle of the body. */
    TRUNCATED(200),
    /** 200, and a body that is whole for HTTP but ends in the middle of the JSON. */
    CUT_JSON(200),
    /** 200, with {@code finish_reason=content_filter}. */
    REFUSED(200),
    /** 200, with a body of 50 MB. */
    TOO_LARGE(200);

    private final int status;

    SimulatedModelFault(int status) {
        this.status = status;
    }

    /** What stands in the log of calls; 0 when no status was sent. */
    int status() {
        return status;
    }

    /** The key in JSON. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
