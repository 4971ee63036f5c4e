package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.LoadReport;
import io.hellogpt.once.embedded.bench.Throughput.Traffic;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** B10: whether the answers of calls in flight wait behind a backlog of requests that nobody has read yet. */
final class Backlog implements Benchmark {
    private static final int IN_FLIGHT = 1_000;
    /** Ten seconds for an answer of the plain load, a tenth of a second for one of the warm-up. */
    private static final int TOKEN_MS = 100;

    private static final Load.Kind SHORT = new Load.Kind(1, Map.of());
    private static final double PER_SECOND = 500;

    @Override
    public String id() {
        return "B10";
    }

    @Override
    public String what() {
        return "a backlog of 500,000 requests: delay it adds to answers in flight";
    }

    @Override
    public List<Row> run(Lab lab, Scale scale) throws InterruptedException {
        int backlog = scale.pick(100_000, 500_000);
        lab.fresh();
        Map<String, String> settings = Map.of(
                "model.max.in.flight", Integer.toString(IN_FLIGHT),
                "model.simulated.latency.base.ms", "0",
                "model.simulated.latency.token.ms", Integer.toString(TOKEN_MS));
        Subject instance = lab.instance(settings);
        try {
            instance.start();
            OpenLoop load = new OpenLoop(lab, Load.Kind.PLAIN);
            lab.warmUp(Traffic.of(scale).warmUp(), SHORT);
            load.run("slow-", PER_SECOND, IN_FLIGHT);
            LoadReport alone = load.run("alone-", PER_SECOND, IN_FLIGHT);
            LoadReport behind = load.run(
                    "behind-",
                    PER_SECOND,
                    IN_FLIGHT,
                    () -> Load.send(lab.client(), "backlog-", 0, backlog, 1, Load.Kind.PLAIN));
            Duration added = behind.p99().minus(alone.p99());
            return List.of(Row.judged(
                    "B10",
                    "delay a backlog of %,d adds to answers in flight, p99".formatted(backlog),
                    SteadyLatency.millis(added),
                    "ms",
                    Aim.atMost(250),
                    "p99 over the model's latency %,.0f ms with the backlog, %,.0f ms without"
                            .formatted(SteadyLatency.millis(behind.p99()), SteadyLatency.millis(alone.p99()))));
        } finally {
            instance.close();
        }
    }
}
