package io.hellogpt.once.core;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a producer asks for: one model answer, and what to do with it.
 *
 * @param model name of the model, as the provider knows it
 * @param messages the conversation as a JSON array of {@code {role, content}} objects, in canonical form
 * @param parameters sampling parameters and tools as a JSON object, in canonical form ({@code {}} when there are none)
 * @param policy name of the {@link DecisionPolicy} that decides from the snapshot
 * @param effects templates the {@code declared} policy fills from the answer
 * @param createdAt when the producer made the request, if it says so; used only to tell a late request from a new one
 * @param deadline when an ending is no longer of use; the request fails at this time if it has none
 * @param metadata carried through to the ending, never interpreted, not part of the fingerprint
 */
public record ModelRequest(
        RequestId id,
        String model,
        String messages,
        String parameters,
        String policy,
        List<EffectTemplate> effects,
        Optional<Instant> createdAt,
        Optional<Instant> deadline,
        Map<String, String> metadata) {
    public ModelRequest {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(messages, "messages");
        Objects.requireNonNull(parameters, "parameters");
        Objects.requireNonNull(policy, "policy");
        effects = List.copyOf(effects);
        metadata = Map.copyOf(metadata);
    }

    /** Names the request only: prompts do not belong in logs. */
    @Override
    public String toString() {
        return "ModelRequest[" + id + ", model=" + model + ", policy=" + policy + ", effects=" + effects.size() + "]";
    }

    /**
     * An effect as the request declares it.
     *
     * @param name what the effect is called in results and logs
     * @param route the connector's route; never a URL or a credential
     * @param stage effects of one stage run side by side, stages in ascending order
     * @param payload JSON object sent to the route; pointers are filled in over it
     * @param pointers JSON pointer in the payload (RFC 6901) to JSON pointer in the answer
     * @param compensation how to undo it, if it can be undone
     * @param pivot once this effect has succeeded there is no way back, only forward retry or a person
     */
    public record EffectTemplate(
            String name,
            String route,
            int stage,
            String payload,
            Map<String, String> pointers,
            Optional<Compensation> compensation,
            boolean pivot) {
        public EffectTemplate {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(route, "route");
            Objects.requireNonNull(payload, "payload");
            pointers = Map.copyOf(pointers);
        }
    }
}
