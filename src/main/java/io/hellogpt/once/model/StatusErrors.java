package io.hellogpt.once.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.CallError;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What an HTTP status means for a call; the table stands at {@link ModelClient}. */
final class StatusErrors {
    /** How much of an error's body is read. */
    static final int MAX_BYTES = 64 * 1024;

    private static final ObjectMapper JSON = new ObjectMapper();

    private StatusErrors() {}

    static Optional<ModelCallException> of(HttpResponse<BoundedBody.Body> response, Instant now) {
        int status = response.statusCode();
        if (status / 100 == 2) {
            return Optional.empty();
        }
        String message = "the model server answered " + status + code(response.body());
        Optional<Duration> retryAfter =
                response.headers().firstValue("retry-after").flatMap(header -> RetryAfter.parse(header, now));
        return Optional.of(new ModelCallException(new CallError(kind(status), message, retryAfter)));
    }

    private static CallError.Kind kind(int status) {
        return switch (status) {
            // 402 is an unpaid account: like a bad key it says nothing about the request.
            case 401, 402, 403 -> CallError.Kind.UNAUTHORIZED;
            case 408, 409, 425, 429 -> CallError.Kind.RETRYABLE;
            default -> status / 100 == 4 ? CallError.Kind.REJECTED : CallError.Kind.RETRYABLE;
        };
    }

    /** The provider's error code. Its message is left out: it may quote the prompt. */
    private static String code(BoundedBody.Body body) {
        try {
            JsonNode error = JSON.readTree(body.bytes()).path("error");
            String code = error.path("code").asText(error.path("type").asText(""));
            return code.matches("[A-Za-z0-9_.-]{1,64}") ? " (" + code + ")" : "";
        } catch (IOException notJson) {
            return "";
        }
    }
}
