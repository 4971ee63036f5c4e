package io.hellogpt.once.model;

import java.time.Duration;
import java.util.Objects;

/**
 * The numbers the gateway depends on.
 *
 * @param limits what models may be asked for
 * @param handoverTimeout how long the close of a task waits for its handover to be acknowledged; past it the next owner may
 *     repeat the calls
 * @param probeMin first wait before a paused provider is tried again
 * @param probeMax longest such wait; a renewed key is noticed within it
 * @param circuitFailureRate percentage of failed calls among the last {@code circuitWindow} of a model that pauses it; while fewer than
 *     three requests fail, each counts once, since it may be their own fault
 * @param circuitWindow how many calls are looked at
 */
public record GatewaySettings(
        CallLimits limits,
        Duration handoverTimeout,
        Duration probeMin,
        Duration probeMax,
        int circuitFailureRate,
        int circuitWindow) {
    public GatewaySettings {
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(handoverTimeout, "handoverTimeout");
        Objects.requireNonNull(probeMin, "probeMin");
        Objects.requireNonNull(probeMax, "probeMax");
        if (probeMin.isZero() || probeMin.isNegative() || probeMax.compareTo(probeMin) < 0) {
            throw new IllegalArgumentException("need 0 < probeMin <= probeMax");
        }
        if (circuitFailureRate < 1 || circuitFailureRate > 100 || circuitWindow < 1) {
            throw new IllegalArgumentException(
                    "need a circuit failure rate of 1 to 100 percent and a window of at least 1");
        }
    }

    /** The defaults of the configuration, with these limits. */
    public static GatewaySettings within(CallLimits limits) {
        return new GatewaySettings(
                limits, Duration.ofSeconds(30), Duration.ofSeconds(1), Duration.ofMinutes(1), 80, 10);
    }
}
