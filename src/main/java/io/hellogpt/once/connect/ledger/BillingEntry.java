package io.hellogpt.once.connect.ledger;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.Effect;
import java.util.Optional;

/** What a billing effect's payload says one snapshot cost. */
record BillingEntry(
        Ask ask,
        String snapshotSha256,
        Optional<String> provider,
        String model,
        long inputTokens,
        long outputTokens,
        long costNanos,
        String currency,
        Optional<String> priceTable) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads the payload.
     *
     * @throws IllegalArgumentException naming the field at fault, never its value
     */
    static BillingEntry read(Ask ask) {
        JsonNode json = parse(ask.effect().payload());
        Effect effect = ask.effect();
        if (!text(json, "request_id").equals(effect.id().requestId().value())
                || whole(json, "turn") != effect.id().turn()) {
            throw new IllegalArgumentException("request_id or turn is not the effect's own");
        }
        return new BillingEntry(
                ask,
                text(json, "snapshot_sha256"),
                optional(json, "provider"),
                text(json, "model"),
                whole(json, "input_tokens"),
                whole(json, "output_tokens"),
                whole(json, "cost_nanos"),
                text(json, "currency"),
                optional(json, "price_table"));
    }

    private static JsonNode parse(String payload) {
        try {
            JsonNode json = JSON.readTree(payload);
            if (!json.isObject()) {
                throw new IllegalArgumentException("not a JSON object");
            }
            return json;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not JSON", e);
        }
    }

    private static String text(JsonNode json, String field) {
        return optional(json, field).orElseThrow(() -> new IllegalArgumentException(field + " is missing"));
    }

    private static Optional<String> optional(JsonNode json, String field) {
        JsonNode node = json.path(field);
        if (node.isMissingNode() || node.isNull()) {
            return Optional.empty();
        }
        if (!node.isValueNode() || node.asText().indexOf('\0') >= 0) {
            throw new IllegalArgumentException(field + " is not a storable text");
        }
        return Optional.of(node.asText());
    }

    private static long whole(JsonNode json, String field) {
        JsonNode node = json.path(field);
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw new IllegalArgumentException(field + " is not a whole number");
        }
        return node.longValue();
    }
}
