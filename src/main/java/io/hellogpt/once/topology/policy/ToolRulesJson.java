package io.hellogpt.once.topology.policy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads the rules of {@code tool-calls}. Whatever is not known is refused by its place, since a misspelt limit would be none:
 *
 * <pre>{@code
 * {"refused_call": "refuse", "no_call": "commit", "max_calls": 16,
 *  "tools": {
 *    "sign": {"route": "sign", "stage": 0, "pivot": false, "max_calls": 1,
 *             "parameters": {"type": "object", "required": ["contract"], ...},
 *             "compensation": {"route": "unsign", "payload": {}, "pointers": {"/contract": "/contract"}}}}}
 * }</pre>
 */
public final class ToolRulesJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final Set<String> FIELDS = Set.of("tools", "refused_call", "no_call", "max_calls");
    private static final Set<String> TOOL =
            Set.of("route", "stage", "pivot", "max_calls", "parameters", "compensation");
    private static final Set<String> UNDO = Set.of("route", "payload", "pointers");
    private static final int MAX_CALLS = 16;

    private ToolRulesJson() {}

    /** @throws IllegalArgumentException naming the place and what is wrong with it */
    public static ToolRules read(String json) {
        ObjectNode root = object(parsed(json), "");
        allowOnly(root, FIELDS, "");
        ObjectNode tools = object(root.path("tools"), "/tools");
        Map<String, Tool> byName = new HashMap<>();
        tools.properties().forEach(tool -> byName.put(tool.getKey(), tool(tool.getKey(), tool.getValue())));
        if (byName.isEmpty()) {
            throw wrong("/tools", "names no tool");
        }
        return new ToolRules(
                byName,
                choice(root, "refused_call", ToolRules.OnRefusedCall.REFUSE),
                choice(root, "no_call", ToolRules.OnNoCall.COMMIT),
                count(root, "max_calls", "", 1, MAX_CALLS));
    }

    private static JsonNode parsed(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException notJson) {
            throw new IllegalArgumentException(
                    "is not JSON, at line " + notJson.getLocation().getLineNr(), notJson);
        }
    }

    private static Tool tool(String name, JsonNode json) {
        String at = "/tools/" + name;
        ObjectNode tool = object(json, at);
        allowOnly(tool, TOOL, at);
        return new Tool(
                name,
                new Tool.Plan(route(tool, at), count(tool, "stage", at, 0, 0), flag(tool, "pivot", at), undo(tool, at)),
                count(tool, "max_calls", at, 1, Integer.MAX_VALUE),
                schema(object(tool.path("parameters"), at + "/parameters"), at + "/parameters"));
    }

    private static ArgumentSchema schema(ObjectNode schema, String at) {
        try {
            return ArgumentSchema.of(schema);
        } catch (IllegalArgumentException broken) {
            throw new IllegalArgumentException(at + " " + broken.getMessage(), broken);
        }
    }

    private static Optional<Tool.Undo> undo(ObjectNode tool, String above) {
        if (!tool.has("compensation")) {
            return Optional.empty();
        }
        String at = above + "/compensation";
        ObjectNode undo = object(tool.get("compensation"), at);
        allowOnly(undo, UNDO, at);
        ObjectNode payload = undo.has("payload")
                ? object(undo.get("payload"), at + "/payload")
                : JsonNodeFactory.instance.objectNode();
        return Optional.of(new Tool.Undo(route(undo, at), new PayloadTemplate(payload, pointers(undo, at))));
    }

    private static Map<String, String> pointers(ObjectNode undo, String above) {
        String at = above + "/pointers";
        Map<String, String> pointers = new TreeMap<>();
        if (undo.has("pointers")) {
            object(undo.get("pointers"), at).properties().forEach(entry -> {
                if (entry.getKey().isEmpty()
                        || !isPointer(entry.getKey())
                        || !isPointer(entry.getValue().asText("-"))) {
                    throw wrong(
                            at,
                            "has '" + entry.getKey() + "', which is not a JSON pointer to a JSON pointer (RFC 6901)");
                }
                pointers.put(entry.getKey(), entry.getValue().asText());
            });
        }
        return pointers;
    }

    private static boolean isPointer(String text) {
        try {
            JsonPointer.compile(text);
            return true;
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    private static String route(ObjectNode json, String at) {
        String route = json.path("route").asText("");
        if (!SoundDecision.isRoute(route)) {
            throw wrong(at + "/route", "must be the name of a route of the connector, never a URL");
        }
        return route;
    }

    private static int count(ObjectNode json, String field, String at, int least, int standard) {
        JsonNode value = json.path(field);
        if (value.isMissingNode()) {
            return standard;
        }
        if (!value.isInt() || value.intValue() < least) {
            throw wrong(at + "/" + field, "must be a whole number, at least " + least);
        }
        return value.intValue();
    }

    private static boolean flag(ObjectNode json, String field, String at) {
        JsonNode value = json.path(field);
        if (!value.isMissingNode() && !value.isBoolean()) {
            throw wrong(at + "/" + field, "must be true or false");
        }
        return value.asBoolean(false);
    }

    private static <E extends Enum<E>> E choice(ObjectNode json, String field, E standard) {
        if (!json.has(field)) {
            return standard;
        }
        String given = json.get(field).asText("");
        E[] choices = standard.getDeclaringClass().getEnumConstants();
        return Arrays.stream(choices)
                .filter(choice -> choice.name().toLowerCase(Locale.ROOT).equals(given))
                .findFirst()
                .orElseThrow(() -> wrong(
                        "/" + field,
                        "must be one of " + Arrays.toString(choices).toLowerCase(Locale.ROOT)));
    }

    private static ObjectNode object(JsonNode json, String at) {
        if (json instanceof ObjectNode object) {
            return object;
        }
        throw wrong(at.isEmpty() ? "/" : at, "must be a JSON object");
    }

    private static void allowOnly(ObjectNode json, Set<String> known, String at) {
        json.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                throw wrong(
                        at + "/" + field,
                        "is not known; there are " + known.stream().sorted().toList());
            }
        });
    }

    private static IllegalArgumentException wrong(String at, String what) {
        return new IllegalArgumentException(at + " " + what);
    }
}
