package io.hellogpt.once.schema;

/** Bytes that cannot be read as what they should be. The message says what was found instead, never the payload. */
public final class CodecException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CodecException(String message) {
        super(message);
    }

    public CodecException(String message, Throwable cause) {
        super(message, cause);
    }
}
