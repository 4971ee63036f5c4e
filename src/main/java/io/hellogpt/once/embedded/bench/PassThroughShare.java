package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.bench.Throughput.Traffic;
import io.hellogpt.once.topology.Topics;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** B1: what the protocol costs beyond exactly-once itself. */
final class PassThroughShare implements Benchmark {
    private static final int THREADS = 2;
    /** So that both are looked at for about as long. */
    private static final int BARE_IS_FASTER = 10;

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
        Throughput bare = new Throughput(lab);
        Throughput once = new Throughput(lab);
        Traffic traffic = Traffic.of(scale);
        int requests = traffic.warmUp() + traffic.measured();
        for (int round = 0; round < scale.rounds(); round++) {
            bare.bare(THREADS, traffic.scaled(BARE_IS_FASTER));
            lab.say("B1 bare " + bare.rounds());
            once.once(Map.of(), traffic);
            lab.say("B1 once " + once.rounds());
        }
        Predicate<String> changelogs = name -> name.endsWith("-changelog");
        Predicate<String> topics = name -> lab.isTopic(name) && !name.equals(Topics.REQUESTS);
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
                        "bare: %.3f".formatted(bare.cpuPerThousand())),
                Row.noted(
                        "B1d",
                        "processor time of the broker",
                        once.brokerPerThousand(),
                        "s per 1,000 requests",
                        "bare: %.3f".formatted(bare.brokerPerThousand())),
                written("B1e", "bytes", "changelogs", lab.bytes(changelogs), requests),
                written("B1f", "bytes", "other topics but requests", lab.bytes(topics), requests),
                written("B1g", "records", "changelogs", lab.records(changelogs), requests),
                written("B1h", "records", "other topics but requests", lab.records(topics), requests));
    }

    private static Row written(String id, String unit, String where, long amount, int requests) {
        return Row.noted(
                id,
                "written to the broker, " + where,
                (double) amount / requests,
                unit + " per request",
                "of the last round");
    }
}
