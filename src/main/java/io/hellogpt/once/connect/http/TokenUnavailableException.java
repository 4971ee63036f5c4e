package io.hellogpt.once.connect.http;

/** The token endpoint gives no token; nothing was sent to the receiver. */
final class TokenUnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    TokenUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
