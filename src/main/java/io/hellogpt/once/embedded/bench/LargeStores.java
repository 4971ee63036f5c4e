package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.bench.Throughput.Traffic;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** B5, B6, B8: what a large dedup store costs: at a restart, in throughput, in memory. */
final class LargeStores implements Benchmark {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public String id() {
        return "B5";
    }

    @Override
    public Set<String> ids() {
        return Set.of("B5", "B6", "B8");
    }

    @Override
    public String what() {
        return "start after SIGKILL, throughput and memory with a large dedup store (B5, B6, B8)";
    }

    @Override
    public List<Row> run(Lab lab, Scale scale) throws InterruptedException, IOException {
        int smaller = scale.pick(20_000, 200_000);
        int larger = scale.pick(200_000, 2_000_000);
        Traffic traffic = Traffic.shorter(scale);
        List<Row> rows = new ArrayList<>();
        Throughput empty = new Throughput(lab);
        empty.once(Map.of(), traffic);

        lab.fresh();
        Duration small;
        try (Subject instance = lab.instance(Map.of())) {
            Entries.fill(lab, instance, smaller);
            small = killed(lab, instance);
        }
        lab.say("B5 %,d entries: %,d ms".formatted(smaller, small.toMillis()));

        lab.fresh();
        try (Subject instance = lab.instance(Map.of())) {
            Duration restored = Entries.fill(lab, instance, larger);
            Duration large = killed(lab, instance);
            rows.addAll(starts(smaller, small, larger, large, restored));
            lab.say("B5 %,d entries: %,d ms".formatted(larger, large.toMillis()));

            rows.add(Row.noted(
                    "B5a",
                    "disk of an instance for each entry kept",
                    (double) instance.stateBytes() / larger,
                    "bytes",
                    "%,d ended requests, answers of about 600 bytes".formatted(larger)));
            rows.add(Row.noted(
                    "B5b",
                    "entries restored from the changelogs",
                    larger / (restored.toMillis() / 1e3),
                    "a second",
                    "an instance that starts with an empty state directory, start-up included"));

            Throughput full = new Throughput(lab);
            full.measureRunning(List.of(instance), traffic);
            double resident = instance.residentMegabytes();
            instance.kill();
            empty.once(Map.of(), traffic);
            rows.add(Row.judged(
                    "B6",
                    "throughput with %,d entries, of that with an empty store".formatted(larger),
                    full.median() / empty.median(),
                    "ratio",
                    Aim.atLeast(0.85),
                    "full %s; empty, before and after, %s".formatted(full.rounds(), empty.rounds())));
            rows.add(Row.judged(
                    "B8",
                    "resident memory with %,d entries, after load".formatted(larger),
                    resident,
                    "MB",
                    Aim.atMost(1_536),
                    "-Xmx1g, RocksDB as configured by default"));
        }
        return rows;
    }

    /** Kills an instance that has just ended a request, and starts it again. */
    private static Duration killed(Lab lab, Subject instance) throws InterruptedException {
        try (Arrived arrived = Arrived.in(lab.client(), Topics.COMMITTED_RESULTS)) {
            Load.send(lab.client(), "just-", 0, 1, 1, Load.Kind.PLAIN);
            arrived.await(1, PATIENCE);
        }
        instance.kill();
        long start = System.nanoTime();
        instance.start();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static List<Row> starts(int smaller, Duration small, int larger, Duration large, Duration restored) {
        String detail = "%,d entries %,d ms, %,d entries %,d ms; restoring all of the larger from the changelogs %,d ms"
                .formatted(smaller, small.toMillis(), larger, large.toMillis(), restored.toMillis());
        return List.of(
                Row.judged(
                        "B5",
                        "start to RUNNING after SIGKILL with %,d entries".formatted(larger),
                        large.toMillis() / 1e3,
                        "s",
                        Aim.atMost(15),
                        detail),
                Row.judged(
                        "B5",
                        "the same against %,d entries".formatted(smaller),
                        (double) large.toMillis() / small.toMillis(),
                        "ratio",
                        Aim.atMost(1.5),
                        detail));
    }
}
