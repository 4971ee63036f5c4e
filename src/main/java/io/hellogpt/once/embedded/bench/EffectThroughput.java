package io.hellogpt.once.embedded.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** B12: a request with an effect, from end to end, and what each process spends on it. */
final class EffectThroughput implements Benchmark {
    private static final int OUTSTANDING = 1_024;
    private static final int THREADS = 2;
    private static final int TASKS = 2;
    private static final int IN_FLIGHT = 128;
    private static final double AIM = 4_000;

    private static final Load.Kind ONE_EFFECT = new Load.Kind(
            100,
            Map.of(
                    "policy",
                    "declared",
                    "effects",
                    List.of(Map.of(
                            "name",
                            "sign",
                            "route",
                            EffectSide.KEYED,
                            "payload",
                            Map.of("signer", "legal@example.com"),
                            "pointers",
                            Map.of("/document", "/id")))));

    /** How far everything had come at a moment. */
    private record Reading(long nanos, int ended, Map<String, Double> processorSeconds) {}

    @Override
    public String id() {
        return "B12";
    }

    @Override
    public String what() {
        return "requests/s with one KEYED HTTP effect each, through a Connect worker and its ledger in PostgreSQL";
    }

    @Override
    public List<Row> run(Lab lab, Scale scale) throws InterruptedException, IOException {
        lab.fresh();
        try (EffectSide side = EffectSide.start(lab, TASKS, IN_FLIGHT);
                Subject instance = lab.instance(settings()).start();
                ClosedLoop loop = ClosedLoop.start(lab.client(), OUTSTANDING, ONE_EFFECT)) {
            // The compilers of five JVMs share the machine with what they compile.
            loop.awaitEnded(scale.pick(30_000, 80_000));
            Map<String, Long> processes = processes(lab, side, instance);
            List<Reading> readings = new ArrayList<>(List.of(read(loop, processes)));
            for (int round = 0; round < scale.rounds(); round++) {
                loop.run(scale.round());
                readings.add(read(loop, processes));
                requireEndings(readings);
                lab.say("B12 %,.0f/s".formatted(rates(readings).getLast()));
            }
            return rows(readings, exact(loop.drain(), side.seen()));
        }
    }

    private static Map<String, String> settings() {
        return Map.of("num.stream.threads", Integer.toString(THREADS));
    }

    private static Map<String, Long> processes(Lab lab, EffectSide side, Subject instance) {
        Map<String, Long> all = new TreeMap<>(side.pids());
        all.put("broker", lab.broker().child().orElseThrow().pid());
        all.put("instance", instance.pid());
        return all;
    }

    private static Reading read(ClosedLoop loop, Map<String, Long> processes) {
        Map<String, Double> seconds = new TreeMap<>();
        processes.forEach((name, pid) -> seconds.put(name, ProcessorTime.seconds(pid)));
        // Without its children, which are the others.
        seconds.put("load generator", ProcessorTime.ofThisProcess());
        return new Reading(System.nanoTime(), loop.ended(), seconds);
    }

    /**
     * What was counted when everything had ended, in words.
     *
     * @throws IllegalStateException if a request has several endings, or the receiver has not seen exactly one key for each
     */
    static String exact(ClosedLoop.Tally tally, EffectSide.Seen seen) {
        String counted = "%,d requests, %,d ended, %,d further endings; the receiver saw %,d keys in %,d calls"
                .formatted(tally.sent(), tally.ended(), tally.repeated(), seen.keys(), seen.calls());
        if (tally.repeated() > 0 || seen.keys() != tally.sent()) {
            throw new IllegalStateException("not exact: " + counted);
        }
        return counted;
    }

    private static List<Row> rows(List<Reading> readings, String counted) {
        List<Row> rows = new ArrayList<>();
        rows.add(Row.judged(
                "B12",
                "throughput with one KEYED HTTP effect per request",
                Throughput.median(rates(readings)),
                "requests/s",
                Aim.atLeast(AIM),
                "%,d outstanding; %s; PostgreSQL with synchronous_commit and without fsync; %s"
                        .formatted(OUTSTANDING, rounds(readings), counted)));
        char letter = 'a';
        for (String process : readings.getFirst().processorSeconds().keySet()) {
            rows.add(Row.noted(
                    "B12" + letter++,
                    "processor time of the " + process + " at B12",
                    perThousand(readings, process),
                    "s per 1,000 requests",
                    ""));
        }
        return rows;
    }

    private static void requireEndings(List<Reading> readings) {
        if (rates(readings).getLast() == 0) {
            throw new IllegalStateException("nothing ended within a round");
        }
    }

    private static List<Double> rates(List<Reading> readings) {
        List<Double> rates = new ArrayList<>();
        for (int i = 1; i < readings.size(); i++) {
            Reading from = readings.get(i - 1);
            Reading to = readings.get(i);
            rates.add((to.ended() - from.ended()) / ((to.nanos() - from.nanos()) / 1e9));
        }
        return rates;
    }

    private static String rounds(List<Reading> readings) {
        return rates(readings).stream().map("%,.0f"::formatted).collect(Collectors.joining(", ", "", "/s"));
    }

    /** Over all rounds. */
    private static double perThousand(List<Reading> readings, String process) {
        Reading from = readings.getFirst();
        Reading to = readings.getLast();
        double used =
                to.processorSeconds().get(process) - from.processorSeconds().get(process);
        return used / (to.ended() - from.ended()) * 1_000;
    }
}
