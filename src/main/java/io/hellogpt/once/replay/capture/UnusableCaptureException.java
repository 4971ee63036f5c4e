package io.hellogpt.once.replay.capture;

/** A file that is no capture, is not whole, or was made by a later version. The message says which, and what to do. */
public final class UnusableCaptureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnusableCaptureException(String message) {
        super(message);
    }

    public UnusableCaptureException(String message, Throwable cause) {
        super(message, cause);
    }
}
