package io.hellogpt.once.embedded.bench;

import java.util.List;
import java.util.Map;

/** B1: what the protocol costs beyond exactly-once itself. */
final class PassThroughShare implements Benchmark {
    private static final int THREADS = 2;

    @Override
    public String id() {
        return "B1";
    }

    @Override
    public String what() {
        return "requests/s with a model that answers at once and no effects, against a bare exactly_once_v2 pass-through";
    }

    @Override
    public List<Row> run(Lab lab, Scale scale) throws InterruptedException {
        Throughput bare = new Throughput();
        Throughput once = new Throughput();
        for (int round = 0; round < scale.rounds(); round++) {
            bare.bare(lab, THREADS, scale.pick(200_000, 500_000));
            lab.say("B1 bare " + bare.rounds());
            once.once(lab, Map.of(), scale.pick(40_000, 100_000), Load.Kind.PLAIN);
            lab.say("B1 once " + once.rounds());
        }
        return List.of(
                Row.judged(
                        "B1",
                        "share of a bare exactly_once_v2 pass-through's throughput",
                        once.median() / bare.median(),
                        "ratio",
                        Aim.atLeast(0.35),
                        "once %s; bare %s; alternating".formatted(once.rounds(), bare.rounds())),
                Row.noted("B1a", "throughput, zero-latency model, no effects", once.median(), "requests/s", ""),
                Row.noted("B1b", "throughput of the bare pass-through", bare.median(), "records/s", ""),
                Row.noted(
                        "B1c",
                        "processor time of the instance",
                        once.cpuPerThousand(),
                        "s per 1,000 requests",
                        "bare: %.3f".formatted(bare.cpuPerThousand())));
    }
}
