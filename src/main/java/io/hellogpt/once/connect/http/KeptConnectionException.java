package io.hellogpt.once.connect.http;

import java.io.IOException;

/**
 * A connection that had carried an exchange before ended without a byte of the response. Most often the receiver, or something on
 * the way to it, had closed it for being idle or for its own restart; whether the request was taken is not known.
 */
final class KeptConnectionException extends IOException {
    private static final long serialVersionUID = 1L;

    KeptConnectionException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
