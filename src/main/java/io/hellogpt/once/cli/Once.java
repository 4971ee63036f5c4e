package io.hellogpt.once.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.hellogpt.once.ops.ConfigError;
import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.ops.ProductVersion;
import io.hellogpt.once.ops.TopicsNotReady;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code once}. */
@Command(
        name = "once",
        mixinStandardHelpOptions = true,
        versionProvider = Once.Version.class,
        header = "Every request to a language model takes effect once.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeOnInvalidInput = 64,
        exitCodeOnExecutionException = 70,
        footerHeading = "%nFirst steps:%n",
        footer = {
            "  once demo                 500 contracts, two kills, one ending each",
            "  once up                   the whole stack on this machine",
            "  once submit FILE.jsonl    send requests",
            "  once tail results         watch them take effect",
            "  once status ID            what happened to one of them"
        },
        subcommands = {
            RunCommand.class,
            TopicsCommand.class,
            SubmitCommand.class,
            TailCommand.class,
            StatusCommand.class,
            OperateCommand.class,
            VerifyCommand.class,
            CaptureCommand.class,
            ReplayCommand.class,
            DocsCommand.class,
            LedgerCommand.class,
            ConfigCommand.class,
            LoadCommand.class,
            DemoCommand.class,
            UpCommand.class,
            BenchCommand.class,
            ChaosCommand.class,
            SimulateModelCommand.class,
            SimulateReceiversCommand.class,
            CommandLine.HelpCommand.class
        })
public final class Once implements Callable<Integer> {
    /** What {@code --version} prints. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"hellogpt-once " + ProductVersion.get()};
        }
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-v", "--verbose"},
            scope = CommandLine.ScopeType.INHERIT,
            description = "Log what the Kafka clients do, and print causes of errors.")
    void verbose(boolean on) {
        if (on) {
            ((Logger) LoggerFactory.getLogger("org.apache.kafka")).setLevel(Level.INFO);
            verbose = true;
        }
    }

    private boolean verbose;

    @Override
    public Integer call() {
        spec.commandLine().usage(System.out);
        return ExitCode.OK.code();
    }

    /** Runs one verb and ends the process with its exit code. */
    public static void main(String[] arguments) {
        bridgeLogging();
        System.exit(commandLine().execute(arguments));
    }

    /** The HTTP server writes to java.util.logging, which prints to standard error in a form of its own. */
    static void bridgeLogging() {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Once());
        line.setExecutionExceptionHandler((failure, where, parsed) -> report(failure, where));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        // "--ids @FILE" is a file of ids, and no file of arguments.
        line.setExpandAtFiles(false);
        line.setUsageHelpWidth(100);
        setExitCodes(line);
        return line;
    }

    /** The annotation above speaks for the first level only. */
    private static void setExitCodes(CommandLine line) {
        line.getCommandSpec().exitCodeOnInvalidInput(ExitCode.USAGE.code());
        line.getCommandSpec().exitCodeOnExecutionException(ExitCode.INTERNAL.code());
        line.getSubcommands().values().forEach(Once::setExitCodes);
    }

    /** What a pool or a file system leaves out of its message: the cause, and that a file is missing. */
    private static String told(Exception failure) {
        if (failure instanceof java.nio.file.NoSuchFileException missing) {
            return "there is no file " + missing.getFile();
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        boolean more = failure instanceof java.sql.SQLException && root != failure;
        return more ? failure.getMessage() + ": " + root.getMessage() : failure.getMessage();
    }

    private static int report(Exception failure, CommandLine where) {
        Once once = where.getCommandSpec().root().userObject() instanceof Once root ? root : new Once();
        ExitCode code = switch (failure) {
            case ConfigError wrong -> ExitCode.CONFIGURATION;
            case TopicsNotReady missing -> ExitCode.TOPICS;
            case KafkaException unreachable -> ExitCode.UNREACHABLE;
            case java.sql.SQLException unreachable -> ExitCode.UNREACHABLE;
            case java.io.IOException unreadable -> ExitCode.BAD_INPUT;
            default -> ExitCode.INTERNAL;
        };
        where.getErr().println("once: " + told(failure));
        if (once.verbose || code == ExitCode.INTERNAL) {
            failure.printStackTrace(where.getErr());
        }
        return code.code();
    }
}
