package io.hellogpt.once.cli;

import io.hellogpt.once.embedded.Arrivals;
import io.hellogpt.once.embedded.LoadReport;
import io.hellogpt.once.embedded.TraceLoad;
import io.hellogpt.once.ops.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once load}. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        header = "Send requests as they arrive in production, and measure.",
        description = {
            "",
            "Replays a recorded arrival trace, some requests twice, against a running system and waits for every ending. What is"
                    + " measured is the time the system adds to the model's own: from just before a request is sent until a"
                    + " read_committed consumer has its result, less the model call.",
            "",
            "Costs what the model costs: meant for the simulated model of 'once up'."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:every request has exactly one ending", "1:some have none, or more than one"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  once load -b localhost:9092 --trace azure-llm-conv-2023.csv --speed 20",
            "  once load -b localhost:9092 --count 5000 --rate 100     without a trace"
        })
final class LoadCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Connection connection;

    @Option(
            names = "--trace",
            paramLabel = "CSV",
            description = "Columns: time, prompt tokens, answer tokens. Without it arrivals are generated.")
    private Path trace;

    @Option(names = "--speed", defaultValue = "1", description = "Times the recorded speed. Default: ${DEFAULT-VALUE}.")
    private double speed;

    @Option(
            names = "--duplicates",
            defaultValue = "0.1",
            description = "Share of requests sent a second time. Default: ${DEFAULT-VALUE}.")
    private double duplicates;

    @Option(names = "--count", defaultValue = "1000", description = "Requests to generate. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(
            names = "--rate",
            defaultValue = "50",
            description = "Generated requests per second, before --speed. Default: ${DEFAULT-VALUE}.")
    private double rate;

    @Option(names = "--seed", defaultValue = "1", description = "Of all that is random. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--patience",
            defaultValue = "300",
            description = "Seconds to wait for endings after the last send. Default: ${DEFAULT-VALUE}.")
    private long patience;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Arrivals.Arrival> arrivals = trace == null ? Arrivals.generate(count, rate, seed) : Arrivals.read(trace);
        Progress progress = new Progress(spec.commandLine().getErr());
        LoadReport report = new TraceLoad(
                        connection.cluster(),
                        new TraceLoad.Plan(arrivals, speed, duplicates, seed, Duration.ofSeconds(patience)),
                        progress::line)
                .run();
        progress.end();
        PrintWriter out = spec.commandLine().getOut();
        out.print(report.text());
        out.flush();
        return (report.isComplete() ? ExitCode.OK : ExitCode.VIOLATED).code();
    }
}
