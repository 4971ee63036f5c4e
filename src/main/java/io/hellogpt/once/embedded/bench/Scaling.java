package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.bench.Throughput.Traffic;
import io.hellogpt.once.topology.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** B13: instances and threads. */
final class Scaling implements Benchmark {
    @Override
    public String id() {
        return "B13";
    }

    @Override
    public String what() {
        return "throughput of 1 and 2 instances with 1 to 4 threads";
    }

    @Override
    public List<Row> run(Lab lab, Scale scale) throws InterruptedException {
        Traffic traffic = Traffic.shorter(scale);
        List<Row> rows = new ArrayList<>();
        for (int instances = 1; instances <= 2; instances++) {
            for (int threads : scale == Scale.FULL ? new int[] {1, 2, 3, 4} : new int[] {1, 2}) {
                Throughput seen = new Throughput(lab);
                lab.fresh();
                seen.measure(
                        lab.instances(instances, Map.of("num.stream.threads", Integer.toString(threads))),
                        traffic,
                        List.of(Topics.COMMITTED_RESULTS));
                rows.add(Row.noted(
                        "B13",
                        "throughput, %d instance(s) of %d thread(s)".formatted(instances, threads),
                        seen.median(),
                        "requests/s",
                        "CPU %.3f s per 1,000 requests".formatted(seen.cpuPerThousand())));
            }
        }
        return rows;
    }
}
