package io.hellogpt.once.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The numbers the protocol depends on. Their names in the configuration and what each costs stand at
 * {@code io.hellogpt.once.ops.OnceConfig}.
 *
 * @param dedupRetention how long after its ending an id is remembered, in stream time
 * @param callTimeout how long one model call may take
 * @param calls retries of model calls
 * @param effects retries of effects
 * @param outcomeTimeout how long an issued attempt may stay without an outcome before it is issued again; the ledger makes that
 *     safe
 * @param holdTimeout when a held request is reported again
 * @param stashRetention how long an early response waits for its request
 * @param snapshotMaxBytes largest answer recorded
 */
public record ProtocolSettings(
        Duration dedupRetention,
        Duration callTimeout,
        RetryPolicy calls,
        RetryPolicy effects,
        Duration outcomeTimeout,
        Duration holdTimeout,
        Duration stashRetention,
        int snapshotMaxBytes) {
    public ProtocolSettings {
        Objects.requireNonNull(dedupRetention, "dedupRetention");
        Objects.requireNonNull(callTimeout, "callTimeout");
        Objects.requireNonNull(calls, "calls");
        Objects.requireNonNull(effects, "effects");
        Objects.requireNonNull(outcomeTimeout, "outcomeTimeout");
        Objects.requireNonNull(holdTimeout, "holdTimeout");
        Objects.requireNonNull(stashRetention, "stashRetention");
    }

    /** The defaults of the configuration. */
    public static ProtocolSettings defaults() {
        return new ProtocolSettings(
                Duration.ofDays(7),
                Duration.ofMinutes(2),
                new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(1), 10, Optional.of(Duration.ofHours(1))),
                new RetryPolicy(Duration.ofMillis(500), Duration.ofMinutes(5), 10),
                Duration.ofMinutes(10),
                Duration.ofDays(1),
                Duration.ofDays(1),
                900_000);
    }
}
