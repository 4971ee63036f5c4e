package io.hellogpt.once.cli;

import io.hellogpt.once.ops.ConfigLoader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options every verb has that talks to the cluster. */
final class Connection {
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

    OnceConfig config() {
        List<String> all = new ArrayList<>(overrides);
        if (bootstrapServers != null) {
            all.add(Settings.BOOTSTRAP_SERVERS + "=" + bootstrapServers);
        }
        return ConfigLoader.load(
                Optional.ofNullable(file).filter(path -> !path.toString().isBlank()), System.getenv(), all);
    }
}
