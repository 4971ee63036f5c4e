package io.hellogpt.once.embedded;

/** A part of the embedded stack did not do what was asked; the message says which, what was waited for, and where its log is. */
public final class EmbeddedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EmbeddedException(String message) {
        super(message);
    }

    public EmbeddedException(String message, Throwable cause) {
        super(message, cause);
    }
}
