package io.hellogpt.once.embedded.bench;

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
        int records = scale.pick(40_000, 100_000);
        Throughput distinct = new Throughput();
        Throughput half = new Throughput();
        for (int round = 0; round < scale.rounds(); round++) {
            distinct.once(lab, Map.of(), records, Load.Kind.PLAIN);
            lab.fresh();
            Load.send(lab.client(), "r-", 0, records / 2, 2, Load.Kind.PLAIN);
            half.measure(
                    lab, lab.instance(Map.of()), records, List.of(Topics.COMMITTED_RESULTS, Topics.DUPLICATE_REQUESTS));
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
