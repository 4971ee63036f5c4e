package io.hellogpt.once.schema;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Set;

/**
 * Effects as anybody may write them: Avro single-object encoding, as the application does, or a JSON object, told apart by the first
 * byte. In JSON only effect_id, route and payload are needed.
 */
public final class EffectDecoder {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    private static final Set<String> FIELDS = Set.of(
            "effect_id",
            "request_id",
            "route",
            "payload",
            "attempt",
            "name",
            "stage",
            "issued_at",
            "request_received_at",
            "probe");

    private EffectDecoder() {}

    /** @throws CodecException when the bytes are no effect; the message shows nothing of a payload */
    public static Effect decode(byte[] bytes) {
        for (byte first : bytes) {
            if (!Character.isWhitespace(first)) {
                return first == '{' ? json(bytes) : Codecs.EFFECT.decode(bytes);
            }
        }
        throw new CodecException("the record is empty");
    }

    private static Effect json(byte[] bytes) {
        JsonNode node;
        try {
            node = JSON.readTree(bytes);
        } catch (JsonProcessingException e) {
            throw new CodecException("not JSON, at line " + e.getLocation().getLineNr() + " column "
                    + e.getLocation().getColumnNr());
        } catch (IOException e) {
            throw new CodecException("not JSON", e);
        }
        node.fieldNames().forEachRemaining(name -> {
            if (!FIELDS.contains(name)) {
                throw new CodecException("an effect has no field of one of the names given; it has " + FIELDS);
            }
        });
        EffectId id = id(node);
        String route = text(node, "route");
        Instant received = instant(node, "request_received_at", Instant.EPOCH);
        return new Effect(
                id,
                node.has("name") ? text(node, "name") : route,
                whole(node, "stage", 0),
                route,
                attempt(node),
                payload(node),
                instant(node, "issued_at", received),
                received,
                flag(node, "probe"));
    }

    private static EffectId id(JsonNode node) {
        EffectId id;
        try {
            id = EffectId.parse(text(node, "effect_id"));
        } catch (IllegalArgumentException e) {
            throw new CodecException("effect_id is not <request_id>:<turn>.<step>", e);
        }
        if (node.has("request_id")
                && !text(node, "request_id").equals(id.requestId().value())) {
            throw new CodecException("effect_id does not belong to request_id");
        }
        return id;
    }

    /** The bytes a receiver gets: an object in its shortest form, a text as it stands. */
    private static String payload(JsonNode node) {
        JsonNode payload = node.path("payload");
        if (payload.isTextual()) {
            return payload.asText();
        }
        if (payload.isObject()) {
            return payload.toString();
        }
        throw new CodecException("payload is missing, or neither an object nor a text");
    }

    private static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (!value.isTextual() || value.asText().isEmpty()) {
            throw new CodecException(field + " is missing, or no text");
        }
        return value.asText();
    }

    private static boolean flag(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (!value.isMissingNode() && !value.isBoolean()) {
            throw new CodecException(field + " is neither true nor false");
        }
        return value.asBoolean();
    }

    private static int whole(JsonNode node, String field, int standard) {
        JsonNode value = node.path(field);
        if (value.isMissingNode()) {
            return standard;
        }
        if (!value.isInt()) {
            throw new CodecException(field + " is no whole number");
        }
        return value.asInt();
    }

    private static int attempt(JsonNode node) {
        int attempt = whole(node, "attempt", 1);
        if (attempt < 1) {
            throw new CodecException("attempts are counted from 1");
        }
        return attempt;
    }

    private static Instant instant(JsonNode node, String field, Instant standard) {
        if (!node.has(field)) {
            return standard;
        }
        try {
            return Instant.parse(text(node, field));
        } catch (DateTimeException e) {
            throw new CodecException(field + " is no time, such as 2026-01-02T03:04:05Z", e);
        }
    }
}
