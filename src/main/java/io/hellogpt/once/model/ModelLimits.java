package io.hellogpt.once.model;

import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What one model may be asked for by one process; empty is no limit.
 *
 * @param maxInFlight calls at one time
 * @param requestsPerMinute calls started
 * @param tokensPerMinute of prompts and answers together
 */
public record ModelLimits(OptionalInt maxInFlight, OptionalLong requestsPerMinute, OptionalLong tokensPerMinute) {
    /** Only the instance's own limit holds. */
    public static final ModelLimits NONE =
            new ModelLimits(OptionalInt.empty(), OptionalLong.empty(), OptionalLong.empty());

    public ModelLimits {
        Objects.requireNonNull(maxInFlight, "maxInFlight");
        Objects.requireNonNull(requestsPerMinute, "requestsPerMinute");
        Objects.requireNonNull(tokensPerMinute, "tokensPerMinute");
        if (maxInFlight.orElse(1) < 1 || requestsPerMinute.orElse(1) < 1 || tokensPerMinute.orElse(1) < 1) {
            throw new IllegalArgumentException("a limit of a model must be at least 1: " + maxInFlight + ", "
                    + requestsPerMinute + ", " + tokensPerMinute);
        }
    }
}
