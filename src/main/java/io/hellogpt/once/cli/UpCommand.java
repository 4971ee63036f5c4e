package io.hellogpt.once.cli;

import io.hellogpt.once.embedded.StackSettings;
import io.hellogpt.once.ops.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once up}. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        header = "Run the whole stack on this machine until Ctrl-C.",
        description = {
            "",
            "Starts a broker, PostgreSQL, a Connect worker with the connector, a simulated model, simulated receivers and"
                    + " instances, each a process on loopback, and prints their addresses. Each start begins with empty topics."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  once up", "  once up --instances 3 --partitions 12 --latency-ms 1000 --token-ms 20"})
final class UpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where data and logs go; emptied first. Default: target/up.")
    private Path directory;

    @Option(names = "--instances", paramLabel = "N", defaultValue = "2", description = "Instances. Default: 2.")
    private int instances;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "4",
            description = "Partitions of each topic. Default: 4.")
    private int partitions;

    @Option(
            names = "--latency-ms",
            paramLabel = "MS",
            defaultValue = "400",
            description = "Least time of a model call. Default: 400.")
    private long latencyMillis;

    @Option(
            names = "--token-ms",
            paramLabel = "MS",
            defaultValue = "8",
            description = "Time of a model call per token of its answer, on top. Default: 8.")
    private double tokenMillis;

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
        StackSettings settings;
        try {
            settings = new StackSettings(instances, partitions, latencyMillis, tokenMillis);
        } catch (IllegalArgumentException e) {
            spec.commandLine().getErr().println("once: " + e.getMessage());
            return ExitCode.USAGE.code();
        }
        return new StackRun(spec.commandLine().getOut(), directory, "up")
                .run(settings, StackRun::stay)
                .code();
    }
}
