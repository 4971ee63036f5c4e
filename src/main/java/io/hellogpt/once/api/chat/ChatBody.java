package io.hellogpt.once.api.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * The body of a chat completions request, as one of our requests. How the answer is to be sent ({@code stream}) is not part of the
 * request: asked again without it, the answer is the same.
 *
 * @param request our JSON form, without a request_id
 * @param usage whether a stream ends with the tokens used
 */
record ChatBody(ObjectNode request, boolean stream, boolean usage) {
    private static final ObjectMapper JSON = JsonMapper.builder()
            // As many digits as were sent: they are part of what makes two requests the same.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();
    private static final Set<String> NOT_PARAMETERS = Set.of("model", "messages", "stream", "stream_options");

    /** @throws io.hellogpt.once.api.ProblemException when it is none */
    static ChatBody read(byte[] body, String policy) {
        JsonNode chat = tree(body);
        ObjectNode request = JSON.createObjectNode();
        request.set("model", chat.path("model"));
        request.set("messages", chat.path("messages"));
        request.put("policy", policy);
        ObjectNode parameters = request.putObject("parameters");
        chat.properties().stream()
                .filter(each -> !NOT_PARAMETERS.contains(each.getKey()))
                .forEach(each -> parameters.set(each.getKey(), each.getValue()));
        return new ChatBody(
                request,
                chat.path("stream").asBoolean(),
                chat.path("stream_options").path("include_usage").asBoolean());
    }

    private static JsonNode tree(byte[] body) {
        try {
            JsonNode tree = JSON.readTree(body);
            if (tree != null && tree.hasNonNull("model") && tree.hasNonNull("messages")) {
                return tree;
            }
        } catch (JsonProcessingException notJson) {
            // Not kept as the cause: the parser's message quotes the body.
            throw Problem.of(Problem.Kind.INVALID, "the body is not JSON").asException();
        } catch (IOException impossible) {
            throw new IllegalStateException("reading from memory failed", impossible);
        }
        throw Problem.of(Problem.Kind.INVALID, "the body must be a JSON object with model and messages")
                .asException();
    }

    /** Our JSON form under that id. */
    byte[] withId(String id) {
        return request.deepCopy().put("request_id", id).toString().getBytes(StandardCharsets.UTF_8);
    }
}
