package io.hellogpt.once.embedded;

import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** A standalone Kafka Connect worker in a child JVM, with one connector. */
final class StandaloneWorker extends ChildPart {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(120);

    private final Path dir;
    private final String connector;
    private final int port = FreePorts.next();
    private final ConnectRest rest = new ConnectRest(URI.create("http://127.0.0.1:" + port));

    /** @param settings of the worker, which knows its brokers and plugins by them */
    StandaloneWorker(Path workDir, Map<String, String> settings, String connector, Map<String, String> config)
            throws IOException {
        this.dir = Files.createDirectories(workDir.resolve("standalone"));
        this.connector = connector;
        Properties worker = new Properties();
        worker.putAll(settings);
        worker.setProperty("listeners", address());
        worker.setProperty(
                "offset.storage.file.filename", dir.resolve("offsets").toString());
        write(worker, "worker.properties");
        Properties own = new Properties();
        own.putAll(config);
        own.setProperty("name", connector);
        write(own, "connector.properties");
    }

    private void write(Properties properties, String file) throws IOException {
        try (Writer out = Files.newBufferedWriter(dir.resolve(file))) {
            properties.store(out, null);
        }
    }

    ConnectRest rest() {
        return rest;
    }

    @Override
    public String address() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    ChildSpec spec() {
        return ChildSpec.of(
                        "standalone-worker",
                        "org.apache.kafka.connect.cli.ConnectStandalone",
                        List.of(
                                dir.resolve("worker.properties").toString(),
                                dir.resolve("connector.properties").toString()),
                        ChildSpec.jvm(64, 256, ChildFiles.loggingOption(dir)),
                        dir.resolve("worker.log"))
                .on(EmbeddedConnectWorker.librariesOnly(dir));
    }

    @Override
    void awaitReady(ChildProcess child) {
        child.awaitReady(
                "connector " + connector, READY_TIMEOUT, () -> Probes.accepts(port) && rest.isRunning(connector));
    }
}
