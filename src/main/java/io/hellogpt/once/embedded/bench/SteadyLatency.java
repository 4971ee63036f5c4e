package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.LoadReport;
import io.hellogpt.once.embedded.bench.Throughput.Traffic;
import java.util.List;
import java.util.Map;

/** B2: what the system adds to the model's own latency when it is far from its limits. */
final class SteadyLatency implements Benchmark {
    static final double PER_SECOND = 50;
    private static final int MODEL_MS = 200;

    @Override
    public String id() {
        return "B2";
    }

    @Override
    public String what() {
        return "latency over the model's own at 50 requests/s, until a read_committed consumer has the result";
    }

    @Override
    public List<Row> run(Lab lab, Scale scale) throws InterruptedException {
        lab.fresh();
        Map<String, String> settings = Map.of(
                "model.simulated.latency.base.ms",
                Integer.toString(MODEL_MS),
                // For the warm-up, which would take its time with the default; at 50 requests/s ten calls are in
                // flight.
                "model.max.in.flight",
                "2000");
        Subject instance = lab.instance(settings);
        try {
            instance.start();
            lab.warmUp(Traffic.of(scale).warmUp(), Load.Kind.PLAIN);
            OpenLoop load = new OpenLoop(lab, Load.Kind.PLAIN);
            load.run("slow-", PER_SECOND, scale.pick(250, 500));
            LoadReport seen = load.run("steady-", PER_SECOND, scale.pick(1_000, 6_000));
            String detail = "%,d requests, max %,.1f ms".formatted(seen.requests(), millis(seen.max()));
            return List.of(
                    Row.judged(
                            "B2",
                            "added latency at 50 requests/s, p50",
                            millis(seen.p50()),
                            "ms",
                            Aim.atMost(10),
                            detail),
                    Row.judged(
                            "B2",
                            "added latency at 50 requests/s, p99",
                            millis(seen.p99()),
                            "ms",
                            Aim.atMost(50),
                            detail));
        } finally {
            instance.close();
        }
    }

    /**
     * Only a request with an answer has a latency that is compared with the model's.
     *
     * @throws IllegalStateException if one has failed
     */
    static void requireNoneFailed(LoadReport seen) {
        if (seen.failed() > 0) {
            throw new IllegalStateException(
                    "%d of %d requests have failed: void".formatted(seen.failed(), seen.requests()));
        }
    }

    static double millis(java.time.Duration time) {
        return time.toNanos() / 1e6;
    }
}
