package io.hellogpt.once.ops;

/** A configuration that cannot be used. The message names the setting, what is wrong with it and what to write instead. */
public final class ConfigError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigError(String message) {
        super(message);
    }

    public ConfigError(String message, Throwable cause) {
        super(message, cause);
    }
}
