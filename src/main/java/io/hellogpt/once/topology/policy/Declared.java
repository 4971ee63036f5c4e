package io.hellogpt.once.topology.policy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.ModelRequest.EffectTemplate;
import io.hellogpt.once.core.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code declared}: carries out the effects the request names, their payloads filled with parts of the answer by JSON pointer
 * (RFC 6901). A pointer to something the answer does not have refuses the answer: an effect with a hole in it is worse than none.
 */
public final class Declared implements DecisionPolicy {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String name() {
        return "declared";
    }

    @Override
    public Decision decide(ModelRequest request, Snapshot snapshot) {
        JsonNode answer = parse(snapshot.answer().body());
        List<PlannedEffect> effects = new ArrayList<>();
        for (EffectTemplate template : request.effects()) {
            ObjectNode payload = object(template.payload());
            for (Map.Entry<String, String> pointer : new TreeMap<>(template.pointers()).entrySet()) {
                JsonNode part = answer.at(pointer.getValue());
                if (part.isMissingNode() || part.isNull()) {
                    return new Decision.Refuse("effect '%s' needs %s, which the answer does not have"
                            .formatted(template.name(), pointer.getValue()));
                }
                put(payload, JsonPointer.compile(pointer.getKey()), part);
            }
            effects.add(new PlannedEffect(
                    template.name(),
                    template.route(),
                    template.stage(),
                    payload.toString(),
                    template.compensation(),
                    template.pivot()));
        }
        return new Decision.Proceed("declared: %d effects".formatted(effects.size()), effects);
    }

    private static void put(ObjectNode payload, JsonPointer at, JsonNode part) {
        ObjectNode parent = payload;
        JsonPointer rest = at;
        while (!rest.tail().matches()) {
            JsonNode child = parent.get(rest.getMatchingProperty());
            parent = child instanceof ObjectNode known ? known : parent.putObject(rest.getMatchingProperty());
            rest = rest.tail();
        }
        parent.set(rest.getMatchingProperty(), part);
    }

    private static JsonNode parse(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException notJson) {
            throw new UncheckedIOException("the answer is not JSON", notJson);
        }
    }

    private static ObjectNode object(String payload) {
        try {
            return (ObjectNode) JSON.readTree(payload);
        } catch (JsonProcessingException notJson) {
            throw new UncheckedIOException("the payload is not a JSON object", notJson);
        }
    }
}
