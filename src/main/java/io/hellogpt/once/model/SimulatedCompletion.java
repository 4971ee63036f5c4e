package io.hellogpt.once.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.Usage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * An answer in the chat completions format that no model gave. Another one each time, like a model's: nothing that holds only
 * because two answers happen to be equal passes a test against it.
 *
 * @param body the JSON body
 */
public record SimulatedCompletion(ObjectNode body, Usage usage) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** A usual rule of thumb for English text. */
    private static final int BYTES_PER_TOKEN = 4;

    private static final double SPREAD = 0.5;
    private static final int LONGEST = 4_000;

    /**
     * Makes one.
     *
     * @param request body of a chat completions request
     * @param medianTokens median length of an answer, when the request sets no {@code max_tokens}
     */
    public static SimulatedCompletion of(JsonNode request, int medianTokens, RandomGenerator random) {
        int promptBytes = request.path("messages").toString().getBytes(StandardCharsets.UTF_8).length;
        int tokens = tokens(request, medianTokens, random);
        Usage usage = new Usage(Math.max(1, promptBytes / BYTES_PER_TOKEN), tokens);
        ObjectNode body = JSON.createObjectNode();
        body.put("id", "chatcmpl-" + hex(random, 24));
        body.put("object", "chat.completion");
        body.put("created", 1_700_000_000L + random.nextInt(100_000_000));
        body.put("model", request.path("model").asText("simulated"));
        ObjectNode choice = body.putArray("choices").addObject();
        choice.put("index", 0);
        ObjectNode message = choice.putObject("message");
        message.put("role", "assistant");
        choice.put("finish_reason", fill(message, request, tokens, random));
        body.putObject("usage")
                .put("prompt_tokens", usage.inputTokens())
                .put("completion_tokens", usage.outputTokens())
                .put("total_tokens", usage.inputTokens() + usage.outputTokens());
        return new SimulatedCompletion(body, usage);
    }

    private static int tokens(JsonNode request, int medianTokens, RandomGenerator random) {
        JsonNode asked = request.path("max_completion_tokens").isInt()
                ? request.path("max_completion_tokens")
                : request.path("max_tokens");
        if (asked.isInt() && asked.intValue() > 0) {
            return asked.intValue();
        }
        double drawn = medianTokens * Math.exp(SPREAD * random.nextGaussian());
        return Math.clamp(Math.round(drawn), 1, LONGEST);
    }

    private static String fill(ObjectNode message, JsonNode request, int tokens, RandomGenerator random) {
        JsonNode tools = request.path("tools");
        if (tools.isEmpty() || "none".equals(request.path("tool_choice").asText())) {
            message.put("content", SimulatedContract.text(tokens, random));
            return "stop";
        }
        JsonNode function = tools.path(random.nextInt(tools.size())).path("function");
        message.putNull("content");
        ObjectNode call = message.putArray("tool_calls").addObject();
        call.put("id", "call_" + hex(random, 24));
        call.put("type", "function");
        call.putObject("function")
                .put("name", function.path("name").asText())
                .put("arguments", arguments(function.path("parameters"), random).toString());
        return "tool_calls";
    }

    private static ObjectNode arguments(JsonNode schema, RandomGenerator random) {
        ObjectNode arguments = JSON.createObjectNode();
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode choices = property.getValue().path("enum");
            if (!choices.isEmpty()) {
                arguments.set(property.getKey(), choices.get(random.nextInt(choices.size())));
                continue;
            }
            switch (property.getValue().path("type").asText()) {
                case "integer" -> arguments.put(property.getKey(), random.nextInt(1, 1_000));
                case "number" -> arguments.put(property.getKey(), random.nextInt(100, 1_000_000) / 100.0);
                case "boolean" -> arguments.put(property.getKey(), random.nextBoolean());
                case "object" -> arguments.set(property.getKey(), arguments(property.getValue(), random));
                case "array" -> arguments.putArray(property.getKey());
                default -> arguments.put(property.getKey(), property.getKey() + "-" + hex(random, 8));
            }
        }
        return arguments;
    }

    private static String hex(RandomGenerator random, int digits) {
        StringBuilder text = new StringBuilder(digits);
        for (int i = 0; i < digits; i++) {
            text.append(Character.forDigit(random.nextInt(16), 16));
        }
        return text.toString();
    }

    public byte[] bytes() {
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }
}
