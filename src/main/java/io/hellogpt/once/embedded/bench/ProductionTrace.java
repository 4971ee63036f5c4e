package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.Arrivals;
import io.hellogpt.once.embedded.LoadReport;
import io.hellogpt.once.embedded.TraceLoad;
import io.hellogpt.once.embedded.bench.Throughput.Traffic;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** B11: arrivals as they were in production, bursts included, many times as fast; a tenth of them sent twice. */
final class ProductionTrace implements Benchmark {
    private static final double DUPLICATES = 0.1;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    /** What the public trace has: 19,366 arrivals in 58 minutes. */
    private static final int GENERATED = 19_366;

    private static final double GENERATED_PER_SECOND = 5.5;

    private static final List<String> ENDINGS = List.of(Topics.COMMITTED_RESULTS, Topics.FAILED_REQUESTS);

    /** So many that chance leaves no partition out. */
    private static final int BEHIND = 64;

    private static final Load.Kind SHORT = new Load.Kind(1, Map.of());

    private final Optional<List<Arrivals.Arrival>> trace;

    ProductionTrace(Optional<List<Arrivals.Arrival>> trace) {
        this.trace = trace;
    }

    @Override
    public String id() {
        return "B11";
    }

    @Override
    public String what() {
        return "a production trace at 20 and 100 times its speed";
    }

    @Override
    public List<Row> run(Lab lab, Scale scale) throws InterruptedException {
        List<Arrivals.Arrival> all = trace.orElseGet(() -> Arrivals.generate(GENERATED, GENERATED_PER_SECOND, 1));
        List<Row> rows = new ArrayList<>();
        for (int speed : new int[] {20, 100}) {
            List<Arrivals.Arrival> arrivals = all.subList(0, Math.min(all.size(), scale.pick(speed * 100, all.size())));
            rows.addAll(at(lab, speed, arrivals, Traffic.of(scale).warmUp()));
        }
        return rows;
    }

    private List<Row> at(Lab lab, int speed, List<Arrivals.Arrival> arrivals, int warmUp) throws InterruptedException {
        lab.fresh();
        // A chat model's pace, and room for all calls that its pace keeps open at this speed.
        Map<String, String> settings = Map.of(
                "model.simulated.latency.base.ms", "400",
                "model.simulated.latency.token.ms", "8",
                "model.max.in.flight", "5000");
        Subject instance = lab.instance(settings);
        try {
            instance.start();
            lab.warmUp(warmUp, SHORT);
            LoadReport seen = new TraceLoad(
                            lab.client(), new TraceLoad.Plan(arrivals, speed, DUPLICATES, 1, PATIENCE), line -> {})
                    .run();
            SteadyLatency.requireNoneFailed(seen);
            // The last repeats may still be on their way; these stand behind them in every partition.
            new OpenLoop(lab, longest(arrivals)).run("behind-", BEHIND, BEHIND);
            String detail = "%s, %,d requests, %,d records, took %,d s, p50 %,.0f ms, max %,.0f ms"
                    .formatted(
                            trace.isPresent() ? "recorded arrivals" : "generated arrivals",
                            seen.requests(),
                            seen.records(),
                            seen.took().toSeconds(),
                            SteadyLatency.millis(seen.p50()),
                            SteadyLatency.millis(seen.max()));
            return List.of(
                    Row.noted(
                            "B11",
                            "added latency at %d times the trace's speed, p99".formatted(speed),
                            SteadyLatency.millis(seen.p99()),
                            "ms",
                            detail),
                    Row.judged(
                            "B11",
                            "requests lost or ended twice at %d times the speed".formatted(speed),
                            seen.requests() - seen.ended() + endedTwice(lab.client()),
                            "requests",
                            Aim.atMost(0),
                            detail));
        } finally {
            instance.close();
        }
    }

    private static Load.Kind longest(List<Arrivals.Arrival> arrivals) {
        return new Load.Kind(
                arrivals.stream().mapToInt(Arrivals.Arrival::answerTokens).max().orElseThrow(), Map.of());
    }

    /** Requests with more than one ending, of all there are in the topics. */
    private static long endedTwice(OnceConfig client) {
        RepeatedIds ids = new RepeatedIds();
        try (CommittedReader reader = new CommittedReader(client.reader())) {
            List<TopicPartition> partitions = ENDINGS.stream()
                    .flatMap(topic -> reader.partitions(topic).stream())
                    .toList();
            reader.readAll(
                    partitions,
                    record -> ids.add(
                            RecordJson.read(record.value()).path("request_id").asText()));
        }
        return ids.count();
    }
}
