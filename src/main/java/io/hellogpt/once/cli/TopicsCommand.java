package io.hellogpt.once.cli;

import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.Settings;
import io.hellogpt.once.ops.TopicAdmin;
import io.hellogpt.once.ops.TopicCatalogue;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once topics}. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        header = "Create the topics, or check them.",
        subcommands = {TopicsCommand.Create.class, TopicsCommand.Check.class})
final class TopicsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE.code();
    }

    /** {@code once topics create}. */
    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            header = "Create the topics that are missing; leave the others alone.",
            footerHeading = "%nExample:%n",
            footer = "  once topics create -b localhost:9092 --partitions 12 --replication 3")
    static final class Create implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private Connection connection;

        @Option(
                names = "--partitions",
                paramLabel = "N",
                defaultValue = "12",
                description =
                        "Partitions of each topic: the most stream threads that can share the work. It cannot be changed"
                                + " later without losing who owns which request_id. Default: ${DEFAULT-VALUE}.")
        private int partitions;

        @Option(
                names = "--replication",
                paramLabel = "R",
                description = "Copies of each topic; replication.factor where it is not given.")
        private Integer replication;

        @Override
        public Integer call() {
            OnceConfig config = connection.cluster();
            int copies = replication == null ? config.number(Settings.REPLICATION_FACTOR) : replication;
            PrintWriter out = spec.commandLine().getOut();
            try (TopicAdmin topics = new TopicAdmin(config.admin(), TopicCatalogue.standard())) {
                List<String> created = topics.create(partitions, copies);
                created.forEach(topic -> out.println("created " + topic));
                out.printf(
                        "%d created, %d were there%n",
                        created.size(), TopicCatalogue.standard().topics().size() - created.size());
                return report(topics.check(), out);
            }
        }
    }

    /** {@code once topics check}. */
    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            header = "List every way in which the topics are not as they must be. Exit code 5 if there is one.",
            footerHeading = "%nExample:%n",
            footer = "  once topics check -b localhost:9092")
    static final class Check implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private Connection connection;

        @Override
        public Integer call() {
            try (TopicAdmin topics = new TopicAdmin(connection.cluster().admin(), TopicCatalogue.standard())) {
                return report(topics.check(), spec.commandLine().getOut());
            }
        }
    }

    private static int report(List<TopicAdmin.Difference> differences, PrintWriter out) {
        differences.forEach(out::println);
        if (differences.isEmpty()) {
            out.println("the topics are as they must be");
            return ExitCode.OK.code();
        }
        return ExitCode.TOPICS.code();
    }
}
