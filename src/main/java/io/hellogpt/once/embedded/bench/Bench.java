package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.StackDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the benchmarks one after the other and keeps the report up to date, so that a run that is cut short has one too. */
public final class Bench {
    private static final Logger log = LoggerFactory.getLogger(Bench.class);
    private static final List<Benchmark> ALL = List.of(new PassThroughShare(), new EffectThroughput());

    private final Path dir;
    private final Path reports;
    private final Consumer<String> progress;

    /**
     * What to measure.
     *
     * @param full the long form
     * @param only these, by id; all when empty
     * @param commit of the code, for the report
     */
    public record Plan(boolean full, Set<String> only, String commit) {
        public Plan {
            only = Set.copyOf(only);
            for (String id : only) {
                if (ALL.stream().noneMatch(each -> each.id().equals(id))) {
                    throw new IllegalArgumentException("there is no benchmark " + id);
                }
            }
        }
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
        Scale scale = plan.full() ? Scale.FULL : Scale.QUICK;
        BenchReport report = BenchReport.begin(plan.commit(), plan.full());
        try (StackDirectory taken = StackDirectory.take(dir);
                Lab lab = Lab.open(taken.path(), progress)) {
            for (Benchmark benchmark : ALL) {
                if (plan.only().isEmpty() || plan.only().contains(benchmark.id())) {
                    carryOut(benchmark, lab, scale, report);
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
