package io.hellogpt.once.cli;

import io.hellogpt.once.embedded.Arrivals;
import io.hellogpt.once.embedded.bench.Bench;
import io.hellogpt.once.embedded.bench.Scale;
import io.hellogpt.once.ops.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        header = "Measure how fast it is on this machine, against what was aimed at.",
        description = {
            "",
            "Starts a broker and, one after the other, what each benchmark needs. Whatever is compared is measured alternately"
                    + " within the run, since machines are noisy; anything else that runs meanwhile falsifies the figures. The report"
                    + " is in target/bench: report.json, report.md and report.svg."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was measured, whether or not the aims are met",
            "1:a benchmark could not be carried out; the report says why",
            "70:the run could not be carried out"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  once bench", "  once bench --full", "  once bench --only B1,B2"})
final class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--full", description = "All rounds and full sizes: half an hour instead of five minutes.")
    private boolean full;

    @Option(names = "--only", paramLabel = "ID", split = ",", description = "Only these, for example B1,B2.")
    private Set<String> only = Set.of();

    @Option(
            names = "--trace",
            paramLabel = "CSV",
            description = "Recorded arrivals for B11, as for 'once load'. Without it they are generated.")
    private Path trace;

    @Option(
            names = "--commit",
            paramLabel = "ID",
            defaultValue = "unknown",
            description = "Of the code, for the report.")
    private String commit;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where data and logs go; emptied first. Default: target/bench-data.")
    private Path directory;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Bench.Plan plan;
        try {
            Optional<List<Arrivals.Arrival>> arrivals =
                    trace == null ? Optional.empty() : Optional.of(Arrivals.read(trace));
            plan = new Bench.Plan(full ? Scale.FULL : Scale.QUICK, only, commit, arrivals);
        } catch (IllegalArgumentException wrong) {
            spec.commandLine().getErr().println("once: " + wrong.getMessage());
            return ExitCode.USAGE.code();
        }
        Terminal terminal = new Terminal(spec.commandLine().getOut());
        try {
            Path dir = StackRun.directory(directory, "bench-data");
            Path reports = dir.resolveSibling("bench");
            QuietLog.to(reports.resolve("bench.log"));
            Bench.Result result = new Bench(dir, reports, terminal::say).run(plan);
            terminal.say(result.table());
            return (result.complete() ? ExitCode.OK : ExitCode.VIOLATED).code();
        } finally {
            terminal.end();
        }
    }
}
