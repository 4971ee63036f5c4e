package io.hellogpt.once.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Usage;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What is read of an answer in the chat completions format. The raw body stays what is recorded.
 *
 * @param id the provider's id of the answer
 * @param model the model that answered, as the provider names it
 */
record ChatCompletion(Optional<String> id, Optional<String> model, Usage usage) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FILTERED = "content_filter";

    /**
     * Reads a body that came with a 2xx status.
     *
     * @throws ModelCallException RETRYABLE when it is no complete answer, REJECTED when the model refuses
     */
    static ChatCompletion parse(byte[] body) throws ModelCallException {
        JsonNode answer = tree(body);
        JsonNode choice = answer.path("choices").path(0);
        if (!choice.isObject()) {
            throw ModelCallException.of(
                    CallError.Kind.RETRYABLE, "the body is JSON but has no choices[0]: not a complete answer");
        }
        String refusal = choice.path("message").path("refusal").asText("");
        if (FILTERED.equals(choice.path("finish_reason").asText()) || !refusal.isEmpty()) {
            throw ModelCallException.of(
                    CallError.Kind.REJECTED,
                    "the model refuses the content of this request; asking again does not help");
        }
        JsonNode usage = answer.path("usage");
        return new ChatCompletion(
                text(answer, "id"),
                text(answer, "model"),
                new Usage(
                        Math.max(0, usage.path("prompt_tokens").asLong()),
                        Math.max(0, usage.path("completion_tokens").asLong())));
    }

    private static JsonNode tree(byte[] body) throws ModelCallException {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException truncated) {
            // Not kept as the cause: the parser's message quotes the body.
            throw ModelCallException.of(
                    CallError.Kind.RETRYABLE, "the body of " + body.length + " bytes is not complete JSON");
        } catch (IOException impossible) {
            throw new IllegalStateException("reading from memory failed", impossible);
        }
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.ofNullable(node.path(field).textValue());
    }

    static String sha256(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
