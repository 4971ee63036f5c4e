package io.hellogpt.once.schema;

/** The schema registry cannot be asked. Records that need it are neither readable nor unreadable until it can. */
public final class RegistryUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RegistryUnavailableException(String message) {
        super(message);
    }

    public RegistryUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
