package io.hellogpt.once.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * How a simulated model server is started.
 *
 * @param port 0 for any free one
 * @param log every call is a line of JSON here, appended; written before the answer is sent
 * @param faults at the start; {@code POST /admin/faults} replaces them
 * @param seed for answers and faults; empty for others each time
 */
public record SimulatedModelConfig(
        int port, Path log, Latency latency, SimulatedModelFaults faults, OptionalLong seed) {
    public SimulatedModelConfig {
        Objects.requireNonNull(log, "log");
        Objects.requireNonNull(latency, "latency");
        Objects.requireNonNull(faults, "faults");
        Objects.requireNonNull(seed, "seed");
    }

    /**
     * How long an answer takes: {@code base + perTokenMs * tokens of the answer}.
     *
     * @param medianTokens median length of an answer, when the request sets no {@code max_tokens}
     */
    public record Latency(Duration base, double perTokenMs, int medianTokens) {
        /** No waiting. */
        public static final Latency NONE = new Latency(Duration.ZERO, 0, 60);

        Duration of(long tokens) {
            return base.plusNanos(Math.round(perTokenMs * 1_000_000 * tokens));
        }
    }

    /** Any free port, no waiting, no faults, other answers each time. */
    public static SimulatedModelConfig logging(Path log) {
        return new SimulatedModelConfig(0, log, Latency.NONE, SimulatedModelFaults.NONE, OptionalLong.empty());
    }

    public SimulatedModelConfig withPort(int other) {
        return new SimulatedModelConfig(other, log, latency, faults, seed);
    }

    public SimulatedModelConfig withLatency(Latency other) {
        return new SimulatedModelConfig(port, log, other, faults, seed);
    }

    public SimulatedModelConfig withFaults(SimulatedModelFaults other) {
        return new SimulatedModelConfig(port, log, latency, other, seed);
    }

    public SimulatedModelConfig withSeed(long other) {
        return new SimulatedModelConfig(port, log, latency, faults, OptionalLong.of(other));
    }
}
