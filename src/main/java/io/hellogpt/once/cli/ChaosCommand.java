package io.hellogpt.once.cli;

import io.hellogpt.once.embedded.chaos.Chaos;
import io.hellogpt.once.embedded.chaos.ChaosResult;
import io.hellogpt.once.embedded.chaos.ChaosSettings;
import io.hellogpt.once.ops.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once chaos}. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        header = "Break a whole system at random for a while and judge what is left.",
        description = {
            "",
            "Starts three brokers, two instances, two Connect workers, PostgreSQL, a model and receivers that misbehave on this"
                    + " machine, each connection through a proxy. Sends every request 1 to 5 times, kills, stops and pauses"
                    + " processes, cuts, delays and resets connections, loses disks, aborts transactions and skews a clock, several"
                    + " at once; then heals everything, waits for every ending and judges the evidence. The report is in"
                    + " target/chaos/report.html and report.json. Needs about 4 GB of memory."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every guarantee held and every fault fired",
            "1:one did not; the directory has all that is needed to see why",
            "70:the run could not be carried out"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  once chaos", "  once chaos --duration 3600 --seed 42"})
final class ChaosCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--duration",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long faults are injected. Default: ${DEFAULT-VALUE}.")
    private long seconds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides which faults come when. Default: another one each time.")
    private Long seed;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where data, logs and the report go; emptied first. Default: target/chaos.")
    private Path directory;

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ChaosSettings settings;
        try {
            settings = ChaosSettings.of(Duration.ofSeconds(seconds), chosenSeed());
        } catch (IllegalArgumentException wrong) {
            spec.commandLine().getErr().println("once: " + wrong.getMessage());
            return ExitCode.USAGE.code();
        }
        Terminal terminal = new Terminal(out);
        try {
            Path dir = StackRun.directory(directory, "chaos");
            QuietLog.to(dir.resolveSibling(dir.getFileName() + ".log"));
            ChaosResult result = new Chaos(dir, settings, terminal).run();
            terminal.say(result.text());
            terminal.say(result.summary());
            return result.passed() ? ExitCode.OK.code() : ExitCode.VIOLATED.code();
        } finally {
            terminal.end();
        }
    }

    private long chosenSeed() {
        return Optional.ofNullable(seed)
                .orElseGet(() -> ThreadLocalRandom.current().nextLong(1, 1_000_000_000));
    }
}
