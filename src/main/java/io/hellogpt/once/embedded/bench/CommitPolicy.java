package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.bench.Throughput.Traffic;
import java.util.List;
import java.util.Map;

/** B3: whether committing early, which makes B2 fast, costs throughput when there is more work than time. */
final class CommitPolicy implements Benchmark {
    private static final String NEVER = Integer.toString(Integer.MAX_VALUE);

    @Override
    public String id() {
        return "B3";
    }

    @Override
    public String what() {
        return "throughput under saturation with early commits, against commit.interval.ms alone";
    }

    @Override
    public List<Row> run(Lab lab, Scale scale) throws InterruptedException {
        Traffic traffic = Traffic.of(scale);
        Throughput early = new Throughput(lab);
        Throughput interval = new Throughput(lab);
        for (int round = 0; round < scale.rounds(); round++) {
            interval.once(Map.of("commit.spacing.ms", NEVER, "commit.interval.ms", "100"), traffic);
            early.once(Map.of(), traffic);
        }
        return List.of(Row.judged(
                "B3",
                "throughput with early commits, of that with commit.interval.ms=100 alone",
                early.median() / interval.median(),
                "ratio",
                Aim.atLeast(0.95),
                "early %s; interval %s; alternating".formatted(early.rounds(), interval.rounds())));
    }
}
