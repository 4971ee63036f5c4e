package io.hellogpt.once.model;

import io.hellogpt.once.core.CallError;
import java.time.Duration;
import java.util.Optional;

/** A call that gave no answer. The message carries no prompt, no answer and no credential. */
public final class ModelCallException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient CallError error;

    public ModelCallException(CallError error, Throwable cause) {
        super(error.kind() + ": " + error.message(), cause);
        this.error = error;
    }

    public ModelCallException(CallError error) {
        this(error, null);
    }

    public static ModelCallException of(CallError.Kind kind, String message) {
        return new ModelCallException(new CallError(kind, message, Optional.empty()));
    }

    static ModelCallException retryable(String message, Throwable cause) {
        return new ModelCallException(new CallError(CallError.Kind.RETRYABLE, message, Optional.empty()), cause);
    }

    static ModelCallException retryable(String message, Optional<Duration> retryAfter) {
        return new ModelCallException(new CallError(CallError.Kind.RETRYABLE, message, retryAfter));
    }

    public CallError error() {
        return error;
    }
}
