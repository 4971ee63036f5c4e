package io.hellogpt.once.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.ModelRequest.EffectTemplate;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestIdFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The rules a request must meet, whatever its encoding; {@code schemas/request.schema.json} says the same for producers. */
final class RequestReader {
    private static final Set<String> FIELDS = Set.of(
            "request_id",
            "model",
            "messages",
            "input",
            "parameters",
            "policy",
            "effects",
            "created_at",
            "deadline",
            "metadata");
    private static final Set<String> EFFECT_FIELDS =
            Set.of("name", "route", "stage", "payload", "pointers", "compensation", "pivot");
    private static final Set<String> COMPENSATION_FIELDS = Set.of("route", "payload");
    private static final String DEFAULT_POLICY = "commit-only";
    private static final Pattern ROUTE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final JsonNode EMPTY = JsonNodeFactory.instance.objectNode();

    private final RequestIdFormat idFormat;

    RequestReader(RequestIdFormat idFormat) {
        this.idFormat = idFormat;
    }

    /** @throws Refusal when a rule is broken; {@link #id} may still be readable */
    ModelRequest read(JsonNode json) {
        JsonFields fields = new JsonFields(json, "");
        RequestId id = id(fields);
        fields.allowOnly(FIELDS);
        String policy = fields.labelOr("policy", DEFAULT_POLICY);
        return new ModelRequest(
                id,
                fields.label("model"),
                messages(fields),
                CanonicalJson.text(fields.objectOr("parameters", EMPTY)),
                policy,
                effects(fields, policy),
                fields.time("created_at"),
                fields.time("deadline"),
                fields.strings("metadata"));
    }

    /** The request_id, when there is a valid one. */
    Optional<RequestId> idOf(JsonNode json) {
        JsonNode id = json.get("request_id");
        return id != null && id.isTextual() && violation(id.textValue()).isEmpty()
                ? Optional.of(new RequestId(id.textValue()))
                : Optional.empty();
    }

    private RequestId id(JsonFields fields) {
        String id = fields.label("request_id");
        violation(id).ifPresent(violation -> {
            throw Refusal.invalid(violation);
        });
        return new RequestId(id);
    }

    /** A configured pattern may allow control characters; logs, headers and pages do not. */
    private Optional<String> violation(String id) {
        return id.chars().anyMatch(Character::isISOControl)
                ? Optional.of("request_id has a control character")
                : idFormat.violation(id);
    }

    private static String messages(JsonFields fields) {
        if (fields.has("messages") == fields.has("input")) {
            throw Refusal.invalid("exactly one of messages and input must be there");
        }
        if (fields.has("input")) {
            return "[{\"content\":" + input(fields.required("input")) + ",\"role\":\"user\"}]";
        }
        JsonNode messages = fields.required("messages");
        if (!messages.isArray() || messages.isEmpty()) {
            throw Refusal.invalid("messages must be a JSON array with at least one message");
        }
        for (int i = 0; i < messages.size(); i++) {
            checkMessage(new JsonFields(messages.get(i), "messages[" + i + "]."));
        }
        return CanonicalJson.text(messages);
    }

    private static String input(JsonNode input) {
        if (!input.isTextual()) {
            throw Refusal.invalid("input must be a string");
        }
        return CanonicalJson.text(input);
    }

    /** An assistant's message that only calls tools has no content, in every provider's format. */
    private static void checkMessage(JsonFields message) {
        message.label("role");
        JsonNode content = message.object().path("content");
        boolean onlyCallsTools = message.object().path("tool_calls").isArray()
                && !message.object().path("tool_calls").isEmpty()
                && (content.isNull() || content.isMissingNode());
        if (!content.isTextual() && !content.isArray() && !onlyCallsTools) {
            throw Refusal.invalid(message.where() + "content must be a string or an array");
        }
    }

    /** Effects that nobody would carry out look as if they were. */
    private static List<EffectTemplate> effects(JsonFields fields, String policy) {
        List<EffectTemplate> effects = effects(fields);
        if (!effects.isEmpty() && policy.equals(DEFAULT_POLICY)) {
            throw Refusal.invalid("effects are named, and the policy is " + DEFAULT_POLICY
                    + (fields.has("policy") ? "" : ", for none is named")
                    + ", which carries none out: set policy to declared, or leave effects out");
        }
        return effects;
    }

    private static List<EffectTemplate> effects(JsonFields fields) {
        if (!fields.has("effects")) {
            return List.of();
        }
        JsonNode effects = fields.required("effects");
        if (!effects.isArray()) {
            throw Refusal.invalid("effects must be a JSON array");
        }
        List<EffectTemplate> templates = new ArrayList<>();
        for (int i = 0; i < effects.size(); i++) {
            templates.add(effect(new JsonFields(effects.get(i), "effects[" + i + "].")));
        }
        return templates;
    }

    private static EffectTemplate effect(JsonFields effect) {
        effect.allowOnly(EFFECT_FIELDS);
        return new EffectTemplate(
                effect.label("name"),
                route(effect),
                effect.count("stage"),
                CanonicalJson.text(effect.objectOr("payload", EMPTY)),
                pointers(effect),
                compensation(effect),
                effect.flag("pivot"));
    }

    private static Optional<Compensation> compensation(JsonFields effect) {
        JsonNode compensation = effect.object().path("compensation");
        if (compensation.isMissingNode() || compensation.isNull()) {
            return Optional.empty();
        }
        JsonFields fields = new JsonFields(compensation, effect.where() + "compensation.");
        fields.allowOnly(COMPENSATION_FIELDS);
        return Optional.of(new Compensation(route(fields), CanonicalJson.text(fields.objectOr("payload", EMPTY))));
    }

    private static String route(JsonFields fields) {
        String route = fields.label("route");
        if (!ROUTE.matcher(route).matches()) {
            throw Refusal.invalid(fields.where() + "route must be 1 to 64 characters of [A-Za-z0-9._-]: the name of a"
                    + " route of the connector, never a URL");
        }
        return route;
    }

    private static Map<String, String> pointers(JsonFields effect) {
        Map<String, String> pointers = effect.strings("pointers");
        pointers.forEach((into, from) -> {
            if (!isPointer(into) || !isPointer(from)) {
                throw Refusal.invalid(
                        effect.where() + "pointers has a name or a value that is not a JSON pointer" + " (RFC 6901)");
            }
        });
        return pointers;
    }

    /** RFC 6901, section 3. Not a regular expression: java.util.regex recurses over alternatives, a long text overflows. */
    private static boolean isPointer(String text) {
        if (!text.isEmpty() && text.charAt(0) != '/') {
            return false;
        }
        for (int tilde = text.indexOf('~'); tilde >= 0; tilde = text.indexOf('~', tilde + 1)) {
            if (!text.startsWith("0", tilde + 1) && !text.startsWith("1", tilde + 1)) {
                return false;
            }
        }
        return true;
    }
}
