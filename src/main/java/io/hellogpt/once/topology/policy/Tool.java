package io.hellogpt.once.topology.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.Decision.PlannedEffect;
import java.util.Optional;

/**
 * A tool the model may call.
 *
 * @param plan what a call becomes
 * @param maxCalls how often one answer may call it
 * @param arguments what its arguments must look like
 */
record Tool(String name, Plan plan, int maxCalls, ArgumentSchema arguments) {
    /**
     * The effect of a call; its payload are the arguments.
     *
     * @param compensation how to undo it, filled from the arguments
     */
    record Plan(String route, int stage, boolean pivot, Optional<Undo> compensation) {}

    /** A compensation with places for arguments. */
    record Undo(String route, PayloadTemplate payload) {}

    /** Why a call with these arguments is refused, if it is. */
    Optional<String> refusal(JsonNode given) {
        return arguments
                .violation(given)
                .map(violation -> "its arguments do not match the schema: " + violation)
                .or(() -> plan.compensation()
                        .flatMap(undo -> undo.payload().missingIn(given))
                        .map(missing -> "its compensation needs the argument " + missing));
    }

    PlannedEffect effect(JsonNode given) {
        return new PlannedEffect(
                name,
                plan.route(),
                plan.stage(),
                given.toString(),
                plan.compensation()
                        .map(undo -> new Compensation(
                                undo.route(), undo.payload().filledFrom(given).toString())),
                plan.pivot());
    }
}
