package io.hellogpt.once.api.chat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.ChatError;
import io.hellogpt.once.core.Failure;
import java.util.Locale;

/** How a request that ended without taking effect is told to a client of OpenAI's API. */
record ChatFailure(int status, String type) {
    static ChatFailure of(Failure.Reason reason) {
        return switch (reason) {
            case MODEL_REJECTED, REFUSED -> new ChatFailure(400, "invalid_request_error");
            case CANCELLED -> new ChatFailure(409, "invalid_request_error");
            case DEADLINE_EXCEEDED -> new ChatFailure(504, "server_error");
            case MODEL_EXHAUSTED, SNAPSHOT_TOO_LARGE, EFFECT_FAILED -> new ChatFailure(502, "server_error");
            case PROCESSING_ERROR -> new ChatFailure(500, "server_error");
        };
    }

    static ObjectNode body(Failure failure) {
        return ChatError.of(
                of(failure.reason()).type(), failure.reason().name().toLowerCase(Locale.ROOT), failure.detail());
    }
}
