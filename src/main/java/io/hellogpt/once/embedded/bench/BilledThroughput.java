package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.bench.Throughput.Traffic;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** B9: what it costs that each answer is booked in the ledger before its request ends. */
final class BilledThroughput implements Benchmark {
    private static final int TASKS = 2;
    private static final int IN_FLIGHT = 128;

    @Override
    public String id() {
        return "B9";
    }

    @Override
    public String what() {
        return "requests/s with a billing effect confirmed before each ending, against none";
    }

    @Override
    public List<Row> run(Lab lab, Scale scale) throws InterruptedException, IOException {
        Traffic traffic = Traffic.shorter(scale);
        Throughput plain = new Throughput(lab);
        Throughput billed = new Throughput(lab);
        for (int round = 0; round < scale.rounds(); round++) {
            plain.once(Map.of(), traffic);
            lab.fresh();
            EffectSide side = EffectSide.start(lab, TASKS, IN_FLIGHT);
            try {
                billed.measure(
                        List.of(lab.instance(Map.of("billing.enabled", "true"))),
                        traffic,
                        List.of(Topics.COMMITTED_RESULTS));
            } finally {
                side.close();
            }
        }
        return List.of(Row.judged(
                "B9",
                "throughput with billing, of that without",
                billed.median() / plain.median(),
                "ratio",
                Aim.atLeast(0.5),
                "billed %s; without %s; alternating; PostgreSQL without fsync"
                        .formatted(billed.rounds(), plain.rounds())));
    }
}
