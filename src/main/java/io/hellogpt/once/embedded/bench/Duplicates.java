package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.bench.Throughput.Traffic;
import io.hellogpt.once.topology.Topics;
import java.util.List;
import java.util.Map;

/** B7: what a record costs that is a duplicate. */
final class Duplicates implements Benchmark {
    @Override
    public String id() {
        return "B7";
    }

    @Override
    public String what() {
        return "records/s when every other record is a duplicate, against distinct ones only";
    }

    @Override
    public List<Row> run(Lab lab, Scale scale) throws InterruptedException {
        Traffic traffic = Traffic.of(scale);
        Throughput distinct = new Throughput(lab);
        Throughput half = new Throughput(lab);
        for (int round = 0; round < scale.rounds(); round++) {
            distinct.once(Map.of(), traffic);
            lab.fresh();
            half.measure(
                    List.of(lab.instance(Map.of())),
                    traffic.twice(),
                    List.of(Topics.COMMITTED_RESULTS, Topics.DUPLICATE_REQUESTS));
        }
        return List.of(Row.judged(
                "B7",
                "throughput with half duplicates, of that with distinct requests only",
                half.median() / distinct.median(),
                "ratio",
                Aim.atLeast(1.0),
                "records: half %s; distinct %s; alternating".formatted(half.rounds(), distinct.rounds())));
    }
}
