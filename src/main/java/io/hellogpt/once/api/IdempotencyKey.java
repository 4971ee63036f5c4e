package io.hellogpt.once.api;

import java.util.Optional;

/** The header {@code Idempotency-Key}: a string in double quotes (RFC 8941, section 3.3.3), or bare, as most clients send it. */
public final class IdempotencyKey {
    public static final String HEADER = "Idempotency-Key";

    private IdempotencyKey() {}

    /**
     * The key of a request.
     *
     * @return empty when there is none
     */
    public static Optional<String> of(Exchange exchange) {
        return exchange.header(HEADER)
                .map(String::strip)
                .map(IdempotencyKey::unquoted)
                .filter(key -> !key.isEmpty());
    }

    static String unquoted(String text) {
        boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
        return quoted
                ? text.substring(1, text.length() - 1).replace("\\\"", "\"").replace("\\\\", "\\")
                : text;
    }
}
