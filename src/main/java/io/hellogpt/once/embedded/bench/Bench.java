package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.Arrivals;
import io.hellogpt.once.embedded.StackDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the benchmarks one after the other and keeps the report up to date, so that a run that is cut short has one too. */
public final class Bench {
    private static final Logger log = LoggerFactory.getLogger(Bench.class);

    /** What the quick form asks: a share, a latency, many calls, billing, effects. */
    private static final Set<String> QUICK = Set.of("B1", "B2", "B4", "B9", "B12");

    private final Path dir;
    private final Path reports;
    private final Consumer<String> progress;

    /**
     * What to measure.
     *
     * @param scale how long to look
     * @param only these, by id; when empty all, or in the quick form some
     * @param commit of the code, for the report
     * @param trace recorded arrivals; generated ones without
     */
    public record Plan(Scale scale, Set<String> only, String commit, Optional<List<Arrivals.Arrival>> trace) {
        public Plan {
            only = Set.copyOf(only);
            List<String> known = benchmarks(trace).stream()
                    .flatMap(benchmark -> benchmark.ids().stream().sorted())
                    .toList();
            for (String id : only) {
                if (!known.contains(id)) {
                    throw new IllegalArgumentException(
                            "there is no benchmark " + id + "; there are " + String.join(", ", known));
                }
            }
        }
    }

    private static boolean isWanted(Benchmark benchmark, Plan plan) {
        return plan.only().isEmpty()
                ? plan.scale() != Scale.QUICK || QUICK.contains(benchmark.id())
                : benchmark.ids().stream().anyMatch(plan.only()::contains);
    }

    private static List<Benchmark> benchmarks(Optional<List<Arrivals.Arrival>> trace) {
        return List.of(
                new PassThroughShare(),
                new SteadyLatency(),
                new CommitPolicy(),
                new ManyCalls(),
                new LargeStores(),
                new Duplicates(),
                new BilledThroughput(),
                new Backlog(),
                new ProductionTrace(trace),
                new EffectThroughput(),
                new Scaling());
    }

    /**
     * What came out.
     *
     * @param table of all figures, in Markdown
     * @param complete whether every benchmark could be carried out, whatever its figures
     */
    public record Result(String table, boolean complete) {}

    /**
     * @param dir where data and logs go; emptied first
     * @param reports where the report goes
     */
    public Bench(Path dir, Path reports, Consumer<String> progress) {
        this.dir = dir;
        this.reports = reports;
        this.progress = progress;
    }

    /** Carries it out. */
    public Result run(Plan plan) throws IOException, InterruptedException {
        BenchReport report = BenchReport.begin(plan.commit(), plan.scale());
        try (StackDirectory taken = StackDirectory.take(dir);
                Lab lab = Lab.open(taken.path(), progress)) {
            for (Benchmark benchmark : benchmarks(plan.trace())) {
                if (isWanted(benchmark, plan)) {
                    carryOut(benchmark, lab, plan.scale(), report);
                    report.write(reports);
                }
            }
        }
        return new Result(report.table(), report.failures().isEmpty());
    }

    private void carryOut(Benchmark benchmark, Lab lab, Scale scale, BenchReport report) throws InterruptedException {
        progress.accept(benchmark.id() + ": " + benchmark.what());
        try {
            report.rows().addAll(benchmark.run(lab, scale));
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception failed) {
            log.error("benchmark failed id={}", benchmark.id(), failed);
            report.failures().add(benchmark.id() + ": " + failed.getMessage());
        }
    }
}
