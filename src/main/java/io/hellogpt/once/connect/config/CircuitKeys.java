package io.hellogpt.once.connect.config;

import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;

/** When a route counts as dead, where it differs from the connector's other routes. */
final class CircuitKeys {
    static final String CALLS = "circuit.calls";
    static final String FAILURE_RATE = "circuit.failure.rate.percent";
    static final String OPEN = "circuit.open.ms";

    private CircuitKeys() {}

    static void define(ConfigDef def) {
        new KeyGroup(def, "Circuit breaker")
                .unless(
                        CALLS,
                        Type.INT,
                        TaskKeys.CALLS_VALID,
                        "In place of " + TaskKeys.CIRCUIT_CALLS
                                + " for this route. A busy route with few calls counted is shut by a"
                                + " short burst of failures.")
                .unless(
                        FAILURE_RATE,
                        Type.INT,
                        TaskKeys.RATE_VALID,
                        "In place of " + TaskKeys.CIRCUIT_FAILURE_RATE
                                + " for this route. 100 shuts it only when no call at all is" + " answered.")
                .unless(
                        OPEN,
                        Type.LONG,
                        TaskKeys.OPEN_VALID,
                        "In place of " + TaskKeys.CIRCUIT_OPEN
                                + " for this route, in milliseconds. Longer spares a receiver that needs"
                                + " time to come back, and delays its effects.");
    }

    static TaskSettings.Circuit read(RouteSettings settings, TaskSettings.Circuit otherwise) {
        return new TaskSettings.Circuit(
                settings.optionalNumber(CALLS).orElse(otherwise.calls()),
                settings.optionalNumber(FAILURE_RATE).orElse(otherwise.failureRate()),
                settings.optionalMillis(OPEN).orElse(otherwise.open()));
    }

    /** A range for a setting that need not be given. */
    static ConfigDef.Validator ifGiven(Range range) {
        return ConfigDef.LambdaValidator.with(
                (key, value) -> Optional.ofNullable(value).ifPresent(given -> range.ensureValid(key, given)),
                range::toString);
    }
}
