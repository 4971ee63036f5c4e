package io.hellogpt.once.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.schema.avro.Compensation;
import io.hellogpt.once.schema.avro.EffectTemplate;
import io.hellogpt.once.schema.avro.ModelRequest;
import java.time.Instant;
import java.util.Map;

/** The JSON form of a request in Avro, so that both encodings are held to one set of rules. */
final class RequestJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private RequestJson() {}

    /** @throws Refusal when one of its JSON texts is not JSON */
    static ObjectNode of(ModelRequest avro) {
        ObjectNode json = JSON.objectNode();
        json.put("request_id", avro.getRequestId());
        json.put("model", avro.getModel());
        json.set("messages", StrictJson.parse(avro.getMessages(), "messages"));
        json.set("parameters", StrictJson.parse(avro.getParameters(), "parameters"));
        json.put("policy", avro.getPolicy());
        ArrayNode effects = json.putArray("effects");
        for (EffectTemplate effect : avro.getEffects()) {
            effects.add(of(effect));
        }
        putTime(json, "created_at", avro.getCreatedAt());
        putTime(json, "deadline", avro.getDeadline());
        json.set("metadata", of(avro.getMetadata()));
        return json;
    }

    private static ObjectNode of(EffectTemplate effect) {
        ObjectNode json = JSON.objectNode();
        json.put("name", effect.getName());
        json.put("route", effect.getRoute());
        json.put("stage", effect.getStage());
        json.set("payload", payload(effect.getPayload()));
        json.set("pointers", of(effect.getPointers()));
        if (effect.getCompensation() != null) {
            json.set("compensation", of(effect.getCompensation()));
        }
        json.put("pivot", effect.getPivot());
        return json;
    }

    private static ObjectNode of(Compensation compensation) {
        ObjectNode json = JSON.objectNode();
        json.put("route", compensation.getRoute());
        json.set("payload", payload(compensation.getPayload()));
        return json;
    }

    private static ObjectNode of(Map<String, String> map) {
        ObjectNode json = JSON.objectNode();
        map.forEach(json::put);
        return json;
    }

    private static JsonNode payload(String text) {
        return StrictJson.parse(text, "the payload of an effect");
    }

    private static void putTime(ObjectNode json, String field, Instant time) {
        if (time != null) {
            json.put(field, time.toString());
        }
    }
}
