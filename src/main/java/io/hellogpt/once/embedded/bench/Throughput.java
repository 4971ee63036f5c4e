package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.topology.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many requests a second a process takes through when there always is a next one: they stand in the topic before it starts, and the
 * first part, in which it warms up, is not counted.
 */
final class Throughput {
    static final Duration PATIENCE = Duration.ofMinutes(15);
    /** The share of a round that only warms up. */
    private static final double WARM_UP = 0.4;

    private static final List<String> ENDINGS = List.of(Topics.COMMITTED_RESULTS);

    private final List<Double> rates = new ArrayList<>();
    private final List<Double> cpuPerThousand = new ArrayList<>();

    /** One round of the application, with empty stores, on distinct requests. */
    void once(Lab lab, Map<String, String> settings, int requests, Load.Kind kind) throws InterruptedException {
        lab.fresh();
        Load.send(lab.client(), "r-", 0, requests, 1, kind);
        measure(lab, lab.instance(settings), requests);
    }

    /** One round of the bare pass-through, on the same requests. */
    void bare(Lab lab, int threads, int requests) throws InterruptedException {
        lab.fresh();
        Load.send(lab.client(), "r-", 0, requests, 1, Load.Kind.PLAIN);
        measure(lab, lab.bare(Topics.REQUESTS, Topics.COMMITTED_RESULTS, threads), requests);
    }

    /** One round of a process that has not been started; every request must end. */
    void measure(Lab lab, Subject subject, int endings) throws InterruptedException {
        measure(lab, List.of(subject), endings, ENDINGS);
    }

    /** The same of several that share the work. */
    void measure(Lab lab, List<Subject> subjects, int endings) throws InterruptedException {
        measure(lab, subjects, endings, ENDINGS);
    }

    /** The same, counting what comes in these topics. */
    void measure(Lab lab, Subject subject, int records, List<String> topics) throws InterruptedException {
        measure(lab, List.of(subject), records, topics);
    }

    private void measure(Lab lab, List<Subject> subjects, int records, List<String> topics)
            throws InterruptedException {
        try (Arrived arrived = Arrived.in(lab.client(), topics)) {
            subjects.forEach(Subject::launch);
            arrived.await(records, PATIENCE);
            rates.add(arrived.perSecond((long) (records * WARM_UP), records));
            cpuPerThousand.add(
                    subjects.stream().mapToDouble(Subject::cpuSeconds).sum() / records * 1_000);
        } finally {
            subjects.forEach(Subject::close);
        }
    }

    /** One round of a process that runs, after {@code before} records of earlier rounds. */
    void measureRunning(Lab lab, int before, int records) throws InterruptedException {
        try (Arrived arrived = Arrived.in(lab.client(), ENDINGS)) {
            arrived.await(before + (long) records, PATIENCE);
            rates.add(arrived.perSecond(before + (long) (records * WARM_UP), before + (long) records));
        }
    }

    /** Of the rounds so far, in requests a second. */
    double median() {
        return median(rates);
    }

    /** Processor seconds of the measured process per thousand requests, its start included. */
    double cpuPerThousand() {
        return median(cpuPerThousand);
    }

    /** Every round, for the report. */
    String rounds() {
        return rates.stream().map(rate -> "%,.0f".formatted(rate)).collect(Collectors.joining(", ", "", "/s"));
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
