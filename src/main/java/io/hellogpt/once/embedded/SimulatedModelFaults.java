package io.hellogpt.once.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How often the simulated model misbehaves, and how.
 *
 * <p>As JSON, with every key optional: {@code {"rate_limited": 0.1, "server_error": 0.05, "retry_after_seconds": 1, "hang_ms":
 * 60000}}.
 *
 * @param shares of calls, between 0 and 1; together at most 1
 * @param retryAfter sent with 429, in whole seconds
 * @param hang how long a TIMEOUT takes
 */
public record SimulatedModelFaults(Map<SimulatedModelFault, Double> shares, Duration retryAfter, Duration hang) {
    /** A model that behaves. */
    public static final SimulatedModelFaults NONE =
            new SimulatedModelFaults(Map.of(), Duration.ofSeconds(1), Duration.ofMinutes(5));

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RETRY_AFTER = "retry_after_seconds";
    private static final String HANG = "hang_ms";

    public SimulatedModelFaults {
        shares = Map.copyOf(shares);
        Objects.requireNonNull(retryAfter, "retryAfter");
        Objects.requireNonNull(hang, "hang");
        double sum = shares.values().stream().mapToDouble(Double::doubleValue).sum();
        if (shares.values().stream().anyMatch(share -> !(share >= 0)) || sum > 1 + 1e-9) {
            throw new IllegalArgumentException("shares of faults are 0 or more and together at most 1");
        }
    }

    /** The same, with {@code fault} at {@code share} of calls. */
    public SimulatedModelFaults with(SimulatedModelFault fault, double share) {
        Map<SimulatedModelFault, Double> changed = new EnumMap<>(SimulatedModelFault.class);
        changed.putAll(shares);
        changed.put(fault, share);
        return new SimulatedModelFaults(changed, retryAfter, hang);
    }

    /**
     * @throws IllegalArgumentException when a key is not known or a value is out of range
     */
    public static SimulatedModelFaults fromJson(JsonNode json) {
        if (!json.isObject()) {
            throw new IllegalArgumentException("faults are a JSON object");
        }
        Map<SimulatedModelFault, Double> shares = new EnumMap<>(SimulatedModelFault.class);
        for (Map.Entry<String, JsonNode> entry : json.properties()) {
            if (!entry.getValue().isNumber()) {
                throw new IllegalArgumentException("'" + entry.getKey() + "' must be a number");
            }
            if (!entry.getKey().equals(RETRY_AFTER) && !entry.getKey().equals(HANG)) {
                shares.put(fault(entry.getKey()), entry.getValue().doubleValue());
            }
        }
        return new SimulatedModelFaults(
                shares,
                Duration.ofSeconds(json.path(RETRY_AFTER).asLong(NONE.retryAfter.toSeconds())),
                Duration.ofMillis(json.path(HANG).asLong(NONE.hang.toMillis())));
    }

    private static SimulatedModelFault fault(String key) {
        for (SimulatedModelFault fault : SimulatedModelFault.values()) {
            if (fault.key().equals(key)) {
                return fault;
            }
        }
        throw new IllegalArgumentException("'" + key + "' is no fault");
    }

    public ObjectNode toJson() {
        ObjectNode json = JSON.createObjectNode();
        shares.forEach((fault, share) -> json.put(fault.key(), share));
        json.put(RETRY_AFTER, retryAfter.toSeconds());
        json.put(HANG, hang.toMillis());
        return json;
    }

    /** @param point drawn evenly from 0 to 1 */
    Optional<SimulatedModelFault> at(double point) {
        double from = 0;
        for (SimulatedModelFault fault : SimulatedModelFault.values()) {
            from += shares.getOrDefault(fault, 0.0);
            if (point < from) {
                return Optional.of(fault);
            }
        }
        return Optional.empty();
    }
}
