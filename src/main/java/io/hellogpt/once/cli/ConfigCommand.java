package io.hellogpt.once.cli;

import io.hellogpt.once.connect.ConnectorReference;
import io.hellogpt.once.ops.ConfigReference;
import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.Settings;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once config}. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        header = "Explain the settings, or check a configuration.",
        subcommands = {ConfigCommand.Reference.class, ConfigCommand.Check.class})
final class ConfigCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE.code();
    }

    /** {@code once config reference}. */
    @Command(
            name = "reference",
            mixinStandardHelpOptions = true,
            header = "Print the reference page of all settings and topics, in Markdown.")
    static final class Reference implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Option(names = "--connector", description = "The sink connector's settings instead of the application's.")
        private boolean connector;

        @Override
        public Integer call() {
            PrintWriter out = spec.commandLine().getOut();
            out.print(connector ? ConnectorReference.markdown() : ConfigReference.markdown());
            out.flush();
            return ExitCode.OK.code();
        }
    }

    /** {@code once config check}. */
    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            header = "Read a configuration as `once run` would, and print the value of each setting.",
            footerHeading = "%nExample:%n",
            footer = "  once config check --config once.properties")
    static final class Check implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private Connection connection;

        @Override
        public Integer call() {
            OnceConfig config = connection.config();
            PrintWriter out = spec.commandLine().getOut();
            Settings.DEFINITION.names().stream().sorted().forEach(name -> out.println(name + "=" + config.value(name)));
            return ExitCode.OK.code();
        }
    }
}
