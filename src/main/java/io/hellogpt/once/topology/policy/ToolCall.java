package io.hellogpt.once.topology.policy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** One call as the model wrote it. */
sealed interface ToolCall {
    String name();

    /** @param id the model's own, if it gave one */
    record Readable(String name, Optional<String> id, ObjectNode arguments) implements ToolCall {}

    /** A call of which nobody can say what it is to do. */
    record Unreadable(String name, String why) implements ToolCall {}

    static ToolCall read(JsonNode call) {
        JsonNode function = call.path("function");
        String name = function.path("name").asText("");
        if (!"function".equals(call.path("type").asText("function")) || name.isEmpty()) {
            return new Unreadable(name, "it is not a call of a function with a name");
        }
        JsonNode arguments = function.path("arguments");
        if (!arguments.isTextual()) {
            return new Unreadable(name, "its arguments are not a text");
        }
        Optional<String> id = Optional.ofNullable(call.path("id").textValue()).filter(given -> !given.isEmpty());
        return Arguments.read(arguments.textValue())
                .<ToolCall>map(object -> new Readable(name, id, object))
                .orElseGet(() -> new Unreadable(name, "its arguments are not one complete JSON object"));
    }

    /** The text of a call's arguments. */
    final class Arguments {
        private static final int DEEPEST = 64;
        /** Beyond what a double holds; arithmetic on such numbers can take for ever. */
        private static final int LARGEST_EXPONENT = 400;

        private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(DEEPEST)
                                .build())
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                // An amount of money must reach the receiver with the digits the model wrote.
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .build();

        private Arguments() {}

        static Optional<ObjectNode> read(String text) {
            try {
                return JSON.readTree(text) instanceof ObjectNode object && isReasonable(object)
                        ? Optional.of(object)
                        : Optional.empty();
            } catch (JsonProcessingException malformed) {
                return Optional.empty();
            }
        }

        private static boolean isReasonable(JsonNode node) {
            if (node.isBigDecimal()) {
                return Math.abs((long) node.decimalValue().scale()) <= LARGEST_EXPONENT;
            }
            for (JsonNode child : node) {
                if (!isReasonable(child)) {
                    return false;
                }
            }
            return true;
        }
    }
}
