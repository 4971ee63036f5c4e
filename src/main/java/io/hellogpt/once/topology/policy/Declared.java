package io.hellogpt.once.topology.policy;

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
import java.util.Optional;

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
            PayloadTemplate payload = new PayloadTemplate(object(template.payload()), template.pointers());
            Optional<String> missing = payload.missingIn(answer);
            if (missing.isPresent()) {
                return new Decision.Refuse("effect '%s' needs %s, which the answer does not have"
                        .formatted(template.name(), missing.get()));
            }
            effects.add(new PlannedEffect(
                    template.name(),
                    template.route(),
                    template.stage(),
                    payload.filledFrom(answer).toString(),
                    template.compensation(),
                    template.pivot()));
        }
        return new Decision.Proceed("declared: %d effects".formatted(effects.size()), effects);
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
