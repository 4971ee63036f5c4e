package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.topology.Topics;
import java.util.List;
import java.util.Map;

/** B4: many slow calls at the same time in one instance. */
final class ManyCalls implements Benchmark {
    private static final int CALLS = 10_000;
    private static final int SECONDS = 5;
    private static final long MEGABYTE = 1 << 20;

    @Override
    public String id() {
        return "B4";
    }

    @Override
    public String what() {
        return "10,000 calls in flight in one instance, each of 5 s: the model's pace is 2,000/s";
    }

    @Override
    public List<Row> run(Lab lab, Scale scale) throws InterruptedException {
        int requests = CALLS * scale.pick(4, 10);
        lab.fresh();
        Map<String, String> settings = Map.of(
                "model.max.in.flight", Integer.toString(CALLS),
                "model.simulated.latency.base.ms", Integer.toString(SECONDS * 1_000));
        try (Arrived endings = Arrived.in(lab.client(), Topics.COMMITTED_RESULTS);
                Arrived events = Arrived.in(lab.client(), Topics.LIFECYCLE_EVENTS);
                Subject instance = lab.instance(settings).launch();
                HeapWatch heap = HeapWatch.start(instance)) {
            Load.send(lab.client(), "r-", 0, requests, 1, Load.Kind.PLAIN);
            endings.await(requests, Throughput.PATIENCE);
            double rate = endings.perSecond(CALLS, requests);
            double gap = events.longestGapMillis();
            return List.of(
                    Row.noted(
                            "B4a",
                            "longest time without a committed step, from the first to the last",
                            gap,
                            "ms",
                            "start-up's compilers included"),
                    Row.judged(
                            "B4",
                            "pace with 10,000 calls in flight, of the model's 2,000/s",
                            rate / ((double) CALLS / SECONDS),
                            "ratio",
                            Aim.atLeast(0.9),
                            "%,.0f/s".formatted(rate)),
                    Row.judged(
                            "B4",
                            "heap used with 10,000 calls in flight, at most",
                            (double) heap.mostUsed() / MEGABYTE,
                            "MB",
                            Aim.atMost(1_024),
                            "of -Xmx1g, garbage included"));
        }
    }
}
