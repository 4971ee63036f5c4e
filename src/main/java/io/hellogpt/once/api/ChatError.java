package io.hellogpt.once.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A problem in the shape that clients of OpenAI's API understand. */
public final class ChatError {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ChatError() {}

    public static ObjectNode of(Problem problem) {
        return of(type(problem.kind()), problem.kind().slug(), problem.detail());
    }

    public static ObjectNode of(String type, String code, String message) {
        ObjectNode body = JSON.createObjectNode();
        body.putObject("error")
                .put("message", message)
                .put("type", type)
                .putNull("param")
                .put("code", code);
        return body;
    }

    private static String type(Problem.Kind kind) {
        return switch (kind) {
            case UNAUTHENTICATED, BAD_SIGNATURE -> "authentication_error";
            case FORBIDDEN -> "permission_error";
            case OVERLOADED -> "rate_limit_error";
            case INTERNAL, UNAVAILABLE, TOO_SLOW -> "server_error";
            case INVALID,
                    MISSING_KEY,
                    NOT_FOUND,
                    METHOD_NOT_ALLOWED,
                    NOT_POSSIBLE,
                    EXPIRED,
                    TOO_LARGE,
                    UNSUPPORTED,
                    CONFLICT -> "invalid_request_error";
        };
    }
}
