package io.hellogpt.once.cli;

import io.hellogpt.once.ops.ConfigLoader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.Settings;
import io.hellogpt.once.ops.TopicAdmin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options every verb has that talks to the cluster. */
final class Connection {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            defaultValue = "${env:ONCE_CONFIG}",
            description = "Properties file with settings; without it ONCE_CONFIG names one, if set.")
    private Path file;

    @Option(
            names = {"-b", "--bootstrap-servers"},
            paramLabel = "HOST:PORT",
            description = "Brokers to start from; the same as --set bootstrap.servers=...")
    private String bootstrapServers;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "NAME=VALUE",
            description = "A setting; wins over the file and over ONCE_NAME in the environment.")
    private List<String> overrides = List.of();

    /**
     * The settings of a cluster that answers.
     *
     * @throws org.apache.kafka.common.KafkaException when it does not, within seconds: the clients themselves would be silent for a minute
     */
    OnceConfig cluster() {
        OnceConfig config = config();
        TopicAdmin.awaitCluster(config.admin(), PATIENCE);
        return config;
    }

    /** The settings alone; nothing is asked of the cluster. */
    OnceConfig config() {
        List<String> all = new ArrayList<>(overrides);
        if (bootstrapServers != null) {
            all.add(Settings.BOOTSTRAP_SERVERS + "=" + bootstrapServers);
        }
        return ConfigLoader.load(
                Optional.ofNullable(file).filter(path -> !path.toString().isBlank()), System.getenv(), all);
    }
}
