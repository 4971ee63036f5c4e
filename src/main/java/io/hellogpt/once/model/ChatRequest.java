package io.hellogpt.once.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.ModelRequest;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * The body of a chat completions request.
 *
 * @param body with the messages
 * @param parameters the same without the messages: what is recorded as sent
 * @param model the model asked for
 */
record ChatRequest(String body, String parameters, String model) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** A request's parameters cannot replace what it is about, nor turn the answer into a stream. */
    private static final Set<String> RESERVED = Set.of("model", "messages", "stream", "stream_options");

    static ChatRequest of(ModelRequest request, OpenAiSettings.Defaults defaults) throws ModelCallException {
        ObjectNode sent = JSON.createObjectNode();
        String model = request.model().isBlank()
                ? defaults.model()
                        .orElseThrow(() -> ModelCallException.of(
                                CallError.Kind.REJECTED, "the request names no model and model.model is not set"))
                : request.model();
        sent.put("model", model);
        defaults.temperature().ifPresent(value -> sent.put("temperature", value));
        defaults.seed().ifPresent(value -> sent.put("seed", value));
        JsonNode own = read(request.parameters(), "parameters");
        if (!own.has("max_completion_tokens")) {
            defaults.maxTokens().ifPresent(value -> sent.put("max_tokens", value));
        }
        own.properties().stream()
                .filter(parameter -> !RESERVED.contains(parameter.getKey()))
                .forEach(parameter -> sent.set(parameter.getKey(), parameter.getValue()));
        String parameters = sent.toString();
        // Pasted, not parsed and printed again: the provider sees the messages exactly as they were fingerprinted.
        String body = parameters.substring(0, parameters.length() - 1) + ",\"messages\":" + request.messages() + "}";
        return new ChatRequest(body, parameters, model);
    }

    private static JsonNode read(String json, String what) throws ModelCallException {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException invalid) {
            // Not kept as the cause: the parser's message quotes the request.
            throw ModelCallException.of(CallError.Kind.REJECTED, "the request's " + what + " are not valid JSON");
        }
    }

    byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }

    /** Names the model only: prompts do not belong in logs. */
    @Override
    public String toString() {
        return "ChatRequest[" + model + "]";
    }
}
