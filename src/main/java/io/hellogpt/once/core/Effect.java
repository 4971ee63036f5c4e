package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One attempt of one external effect, as it goes through the outbox.
 *
 * @param name what the effect is called in results and logs
 * @param stage which stage of the decision it belongs to
 * @param route the connector's route; never a URL or a credential
 * @param attempt from 1; the connector executes each attempt once and reports
 * @param payload JSON object for the route
 * @param requestReceivedAt echoed in the outcome: it says which life of the request_id the effect belongs to
 * @param probe this attempt must not carry the effect out, only find out whether an earlier one did
 * @param trace told to the receiver; it stands in the record's headers and makes no difference to what the effect is
 */
public record Effect(
        EffectId id,
        String name,
        int stage,
        String route,
        int attempt,
        String payload,
        Instant issuedAt,
        Instant requestReceivedAt,
        boolean probe,
        Optional<TraceContext> trace) {
    public Effect {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(route, "route");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(issuedAt, "issuedAt");
        Objects.requireNonNull(requestReceivedAt, "requestReceivedAt");
        Objects.requireNonNull(trace, "trace");
    }

    /** An attempt that belongs to no trace. */
    public Effect(
            EffectId id,
            String name,
            int stage,
            String route,
            int attempt,
            String payload,
            Instant issuedAt,
            Instant requestReceivedAt,
            boolean probe) {
        this(id, name, stage, route, attempt, payload, issuedAt, requestReceivedAt, probe, Optional.empty());
    }

    /** An attempt that carries the effect out. */
    public Effect(
            EffectId id,
            String name,
            int stage,
            String route,
            int attempt,
            String payload,
            Instant issuedAt,
            Instant requestReceivedAt) {
        this(id, name, stage, route, attempt, payload, issuedAt, requestReceivedAt, false);
    }

    /** The same attempt, told to the receiver under another span. */
    public Effect traced(Optional<TraceContext> other) {
        return new Effect(id, name, stage, route, attempt, payload, issuedAt, requestReceivedAt, probe, other);
    }

    @Override
    public String toString() {
        return "Effect[" + id + ", route=" + route + ", attempt=" + attempt + (probe ? ", probe]" : "]");
    }
}
