package io.hellogpt.once.core;

import java.util.Objects;

/**
 * How to undo a carried-out effect.
 *
 * @param route the connector's route
 * @param payload JSON object sent to it
 */
public record Compensation(String route, String payload) {
    public Compensation {
        Objects.requireNonNull(route, "route");
        Objects.requireNonNull(payload, "payload");
    }
}
