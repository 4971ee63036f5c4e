package io.hellogpt.once.cli;

import io.hellogpt.once.embedded.Demo;
import io.hellogpt.once.embedded.DemoResult;
import io.hellogpt.once.embedded.DemoScale;
import io.hellogpt.once.embedded.Stack;
import io.hellogpt.once.embedded.StackSettings;
import io.hellogpt.once.ops.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        header = "See 500 contracts take effect once while processes are killed.",
        description = {
            "",
            "Starts a broker, PostgreSQL, a Connect worker, a simulated model, simulated receivers and two instances on this"
                    + " machine. Sends 500 requests, 30 % of them twice, with conflicts and records that are no requests among"
                    + " them, kills an instance and the worker halfway, waits for every ending and judges the evidence. Takes a"
                    + " minute or two, leaves no process behind, and its logs in target/demo/logs."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:exactly once held", "1:it did not", "70:the demo could not be carried out"},
        footerHeading = "%nExamples:%n",
        footer = {"  once demo", "  once demo --keep    look around afterwards"})
final class DemoCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Spec
    private CommandSpec spec;

    @Option(names = "--keep", description = "Leave everything up afterwards, until Ctrl-C.")
    private boolean keep;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where data and logs go; emptied first. Default: target/demo.")
    private Path directory;

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        DemoResult result = new StackRun(out, directory, "demo").run(StackSettings.STANDARD, this::demo);
        out.println(result.summary());
        out.flush();
        return result.held() ? ExitCode.OK.code() : ExitCode.VIOLATED.code();
    }

    private DemoResult demo(Stack stack, Terminal terminal) throws IOException, SQLException, InterruptedException {
        DemoScale scale = DemoScale.STANDARD;
        terminal.say("up: broker, database, Connect worker, model, receivers, %d instances (logs: %s)"
                .formatted(stack.instances().size(), stack.logs()));
        DemoResult result = new Demo(stack, scale, PATIENCE, terminal).run();
        terminal.say("");
        terminal.say(result.table());
        terminal.say("");
        if (keep) {
            terminal.say(result.summary() + System.lineSeparator());
            StackRun.stay(stack, terminal);
        }
        return result;
    }
}
