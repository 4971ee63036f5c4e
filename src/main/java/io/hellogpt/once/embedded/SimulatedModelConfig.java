package io.hellogpt.once.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * How a simulated model server is started.
 *
 * @param host address to listen on; {@link #LOOPBACK} for this machine only
 * @param port 0 for any free one
 * @param log every call is a line of JSON here, appended; written before the answer is sent
 * @param faults at the start; {@code POST /admin/faults} replaces them
 * @param seed for answers and faults; empty for others each time
 */
public record SimulatedModelConfig(
        String host, int port, Path log, Latency latency, SimulatedModelFaults faults, OptionalLong seed) {
    public static final String LOOPBACK = "127.0.0.1";

    public SimulatedModelConfig {
        Objects.requireNonNull(host, "host");
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

    /** Loopback, any free port, no waiting, no faults, other answers each time. */
    public static SimulatedModelConfig logging(Path log) {
        return new SimulatedModelConfig(
                LOOPBACK, 0, log, Latency.NONE, SimulatedModelFaults.NONE, OptionalLong.empty());
    }

    public SimulatedModelConfig withPort(int other) {
        return new SimulatedModelConfig(host, other, log, latency, faults, seed);
    }

    public SimulatedModelConfig withLatency(Latency other) {
        return new SimulatedModelConfig(host, port, log, other, faults, seed);
    }

    public SimulatedModelConfig withFaults(SimulatedModelFaults other) {
        return new SimulatedModelConfig(host, port, log, latency, other, seed);
    }

    public SimulatedModelConfig withSeed(long other) {
        return new SimulatedModelConfig(host, port, log, latency, faults, OptionalLong.of(other));
    }
}
