package io.hellogpt.once.connect.http;

import io.hellogpt.once.connect.config.Route.Credentials;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.Optional;

/** The value of a route's Authorization header. */
sealed interface Authorization permits Authorization.Fixed, TokenSource {
    /**
     * The value to send now.
     *
     * @throws TokenUnavailableException when there is none to be had
     */
    Optional<String> value(Deadline deadline) throws TokenUnavailableException, InterruptedException;

    /** Whether {@code status}, in answer to {@code value}, is mended by another value; after this, {@link #value} gives one. */
    boolean renewAfter(int status, Optional<String> value);

    static Authorization of(Credentials credentials, Wire wire, Clock clock) {
        return switch (credentials) {
            case Credentials.None none -> new Fixed(Optional.empty());
            case Credentials.Bearer bearer -> new Fixed(Optional.of("Bearer " + bearer.token()));
            case Credentials.Basic basic -> new Fixed(Optional.of(basic(basic.user(), basic.password())));
            case Credentials.OAuth2 oauth2 -> new TokenSource(oauth2, wire, clock);
        };
    }

    /** RFC 7617. */
    static String basic(String user, String password) {
        byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    /** Always the same. */
    record Fixed(Optional<String> header) implements Authorization {
        @Override
        public Optional<String> value(Deadline deadline) {
            return header;
        }

        @Override
        public boolean renewAfter(int status, Optional<String> value) {
            return false;
        }

        @Override
        public String toString() {
            return "Fixed[hidden]";
        }
    }
}
