package io.hellogpt.once.connect.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A response.
 *
 * @param body as much of it as was asked for
 */
record Answer(int status, Optional<String> location, Optional<String> retryAfterHeader, byte[] body) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The receiver's own id of what it did. */
    Optional<String> reference() {
        return location.or(() -> {
            JsonNode id = json().path("id");
            return id.isTextual() || id.isNumber() ? Optional.of(id.asText()) : Optional.empty();
        });
    }

    Optional<Duration> retryAfter(Instant now) {
        return retryAfterHeader.flatMap(value -> RetryAfter.read(value, now));
    }

    /** A missing node when the body is not JSON. */
    JsonNode json() {
        try {
            return JSON.readTree(body);
        } catch (IOException notJson) {
            return JSON.missingNode();
        }
    }

    @Override
    public String toString() {
        return "Answer[" + status + "]";
    }
}
