package io.hellogpt.once.model;

import java.util.Map;
import java.util.Objects;

/**
 * What one process may ask of models.
 *
 * @param maxInFlight calls at one time, of all models together ({@code model.max.in.flight}); more lets a burst through faster,
 *     costs one buffered answer each, and may run into the provider's rate limit
 * @param models limits of the models named here
 * @param others limits of each other model, for itself
 * @param assumedOutputTokens how long an answer is believed to be while nobody has said so
 */
public record CallLimits(
        int maxInFlight, Map<String, ModelLimits> models, ModelLimits others, long assumedOutputTokens) {
    /** A page and a half of text. */
    public static final long ASSUMED_OUTPUT_TOKENS = 1_000;

    public CallLimits {
        models = Map.copyOf(models);
        Objects.requireNonNull(others, "others");
        if (maxInFlight < 1) {
            throw new IllegalArgumentException("model.max.in.flight is " + maxInFlight + "; it must be at least 1");
        }
    }

    /** So many calls at one time, of whatever models. */
    public static CallLimits slots(int maxInFlight) {
        return new CallLimits(maxInFlight, Map.of(), ModelLimits.NONE, ASSUMED_OUTPUT_TOKENS);
    }

    ModelLimits of(String model) {
        return models.getOrDefault(model, others);
    }
}
