package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.topology.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many requests a second a process takes through when there always is a next one. First it warms up on requests of the same kind.
 * Then it is stopped with SIGSTOP while the measured ones are written, and the time runs from when it goes on until the last of them
 * has ended: all of the work on them is in the figure, and the writing of the load is not.
 */
final class Throughput {
    static final Duration PATIENCE = Duration.ofMinutes(15);

    private static final Logger log = LoggerFactory.getLogger(Throughput.class);
    /** Below transaction.timeout.ms, 10 s by default. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(9);

    private static final List<String> ENDINGS = List.of(Topics.COMMITTED_RESULTS);

    private final List<Double> rates = new ArrayList<>();
    private final List<Double> cpuPerThousand = new ArrayList<>();
    private final List<Double> brokerPerThousand = new ArrayList<>();
    private final Lab lab;

    /**
     * How much of what.
     *
     * @param warmUp distinct requests before the measured ones
     * @param measured distinct requests
     * @param times how often each is sent
     */
    record Traffic(int warmUp, int measured, int times, Load.Kind kind) {
        /** Until the compilers are done, which takes some ten seconds of work on two cores, and as much again. */
        static Traffic of(Scale scale) {
            int each = scale.pick(50_000, 100_000);
            return new Traffic(each, each, 1, Load.Kind.PLAIN);
        }

        /** Less than {@link #of}, for a comparison of many. */
        static Traffic shorter(Scale scale) {
            int each = scale.pick(30_000, 60_000);
            return new Traffic(each, each, 1, Load.Kind.PLAIN);
        }

        /** As many records, each request twice. */
        Traffic twice() {
            return new Traffic(warmUp / 2, measured / 2, 2, kind);
        }

        /** More of the same, for something faster. */
        Traffic scaled(int factor) {
            return new Traffic(warmUp * factor, measured * factor, times, kind);
        }
    }

    Throughput(Lab lab) {
        this.lab = lab;
    }

    /** One round of the application, with empty stores. */
    void once(Map<String, String> settings, Traffic traffic) throws InterruptedException {
        lab.fresh();
        measure(List.of(lab.instance(settings)), traffic, ENDINGS);
    }

    /** One round of the bare pass-through. */
    void bare(int threads, Traffic traffic) throws InterruptedException {
        lab.fresh();
        measure(List.of(lab.bare(Topics.REQUESTS, Topics.COMMITTED_RESULTS, threads)), traffic, ENDINGS);
    }

    /** One round of processes that share the work and have not been started, counting what comes in these topics. */
    void measure(List<Subject> subjects, Traffic traffic, List<String> topics) throws InterruptedException {
        try {
            subjects.forEach(Subject::launch);
            subjects.forEach(Subject::awaitReady);
            measureRunning(subjects, traffic, topics);
        } finally {
            subjects.forEach(Subject::close);
        }
    }

    /** One round of processes that run. */
    void measureRunning(List<Subject> subjects, Traffic traffic) throws InterruptedException {
        measureRunning(subjects, traffic, ENDINGS);
    }

    private void measureRunning(List<Subject> subjects, Traffic traffic, List<String> topics)
            throws InterruptedException {
        try (Arrived arrived = Arrived.in(lab.client(), topics)) {
            long warm = (long) traffic.warmUp() * traffic.times();
            long records = (long) traffic.measured() * traffic.times();
            Load.send(lab.client(), "warm-", 0, traffic.warmUp(), traffic.times(), traffic.kind());
            arrived.await(warm, PATIENCE);
            long paused = System.nanoTime();
            subjects.forEach(Subject::pause);
            Load.send(lab.client(), "r-", 0, traffic.measured(), traffic.times(), traffic.kind());
            double cpu = cpu(subjects);
            double broker = lab.brokerSeconds();
            long start = System.nanoTime();
            subjects.forEach(Subject::resume);
            requireShort(Duration.ofNanos(start - paused));
            long end = arrived.await(warm + records, PATIENCE);
            rates.add(records / ((end - start) / 1e9));
            cpuPerThousand.add((cpu(subjects) - cpu) / records * 1_000);
            brokerPerThousand.add((lab.brokerSeconds() - broker) / records * 1_000);
            log.info(
                    "event=round subjects={} records={} each_second={}",
                    subjects.size(),
                    records,
                    arrived.eachSecond());
        }
    }

    /** A longer one ends a transaction the process had begun, and what follows from it is not what is to be measured. */
    private static void requireShort(Duration pause) {
        if (pause.compareTo(LONGEST_PAUSE) > 0) {
            throw new IllegalStateException(
                    "writing the load took %s, longer than a transaction lives: void".formatted(pause));
        }
    }

    private static double cpu(List<Subject> subjects) {
        return subjects.stream().mapToDouble(Subject::cpuSeconds).sum();
    }

    /** Of the rounds so far, in records a second. */
    double median() {
        return median(rates);
    }

    /** Processor seconds of the measured processes per thousand records. */
    double cpuPerThousand() {
        return median(cpuPerThousand);
    }

    /** The same of the broker, what it takes to hand the results to the one who counts included. */
    double brokerPerThousand() {
        return median(brokerPerThousand);
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
