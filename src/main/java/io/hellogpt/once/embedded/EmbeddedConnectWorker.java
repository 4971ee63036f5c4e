package io.hellogpt.once.embedded;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real distributed Kafka Connect worker in a child JVM, with its REST interface on loopback. Stopped or killed and started again, it
 * keeps its port, and its connectors with it, which live in the broker's topics.
 *
 * <p>Its classpath has the libraries but none of this product's classes, so that a connector can only come from the plugin archive.
 */
public final class EmbeddedConnectWorker extends ChildPart {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(120);
    private static final List<String> SMALL_JVM = ChildSpec.jvm(64, 256);

    private final Member member;
    private final Path dir;
    private final Path log;
    private final Path settings;
    private final String brokers;
    private final Path plugins;
    private final List<String> jvm;
    private final int port = FreePorts.next();
    private final ConnectRest rest = new ConnectRest(URI.create("http://127.0.0.1:" + port));

    /**
     * Which worker of its group it is.
     *
     * @param name of its directory and log
     * @param replication copies of the group's own topics
     * @param environment variables of its process; a connector's configuration may refer to them as {@code ${env:NAME}}, so that one
     *     configuration can mean another address on each worker
     */
    public record Member(String name, int replication, Map<String, String> environment) {
        static final Member ALONE = new Member("worker", 1, Map.of());
    }

    private EmbeddedConnectWorker(Path workDir, Member member, String brokers, Path plugins, List<String> jvm) {
        this.member = member;
        this.dir = workDir.resolve(member.name());
        this.log = workDir.resolve("logs").resolve(member.name() + ".log");
        this.settings = dir.resolve("worker.properties");
        this.brokers = brokers;
        this.plugins = plugins;
        this.jvm = jvm;
    }

    /**
     * Writes the settings of a worker; {@link #start} comes next.
     *
     * @param plugins directory with one directory of jars per plugin
     */
    public static EmbeddedConnectWorker create(Path workDir, String brokers, Path plugins) {
        return create(workDir, Member.ALONE, brokers, plugins, Map.of());
    }

    /**
     * The same for whoever wants to know how fast it is.
     *
     * @param jvm options of its JVM, instead of those of one that shares a machine with a dozen others
     */
    public static EmbeddedConnectWorker create(Path workDir, String brokers, Path plugins, List<String> jvm) {
        return written(new EmbeddedConnectWorker(workDir, Member.ALONE, brokers, plugins, jvm), Map.of());
    }

    /** One worker of a group. */
    public static EmbeddedConnectWorker create(Path workDir, Member member, String brokers, Path plugins) {
        return create(workDir, member, brokers, plugins, Map.of());
    }

    /** @param more settings of the worker besides, or instead of, those every embedded worker has */
    static EmbeddedConnectWorker create(
            Path workDir, Member member, String brokers, Path plugins, Map<String, String> more) {
        return written(new EmbeddedConnectWorker(workDir, member, brokers, plugins, SMALL_JVM), more);
    }

    private static EmbeddedConnectWorker written(EmbeddedConnectWorker worker, Map<String, String> more) {
        try {
            Files.createDirectories(worker.dir);
            try (Writer out = Files.newBufferedWriter(worker.settings)) {
                Properties set = worker.properties();
                set.putAll(more);
                set.store(out, null);
            }
        } catch (IOException e) {
            throw new EmbeddedException("the worker's settings in " + worker.dir + " could not be written", e);
        }
        return worker;
    }

    /** The REST interface. */
    @Override
    public String address() {
        return "http://127.0.0.1:" + port;
    }

    public ConnectRest rest() {
        return rest;
    }

    @Override
    ChildSpec spec() {
        return ChildSpec.of(
                        member.name(),
                        "org.apache.kafka.connect.cli.ConnectDistributed",
                        List.of(settings.toAbsolutePath().toString()),
                        Stream.concat(jvm.stream(), Stream.of(ChildFiles.loggingOption(dir)))
                                .toList(),
                        log)
                .on(librariesOnly(dir))
                .with(member.environment());
    }

    @Override
    void awaitReady(ChildProcess child) {
        child.awaitReady(
                "its REST interface on port " + port, READY_TIMEOUT, () -> Probes.accepts(port) && rest.isReady());
    }

    /**
     * Creates or changes a connector and waits until it and all its tasks run.
     *
     * @throws EmbeddedException if the worker refuses the configuration, or a part of the connector fails
     */
    public void run(String connector, Map<String, String> config) {
        rest.putConnector(connector, config);
        awaitRunning(connector);
    }

    /**
     * Waits until a connector and all its tasks run.
     *
     * @throws EmbeddedException if one of them fails, or they do not run in time
     */
    public void awaitRunning(String connector) {
        child().orElseThrow(() -> new EmbeddedException("the worker is not running"))
                .awaitReady("connector " + connector, READY_TIMEOUT, () -> rest.isRunning(connector));
    }

    /** A classpath without this product's classes. */
    static String librariesOnly(Path dir) {
        Path own = ChildFiles.ownCode();
        Stream<String> libraries = Arrays.stream(ChildSpec.ownClasspath().split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar"))
                .filter(entry -> !Path.of(entry).toAbsolutePath().equals(own));
        return Stream.concat(Stream.of(ChildFiles.childMain(dir).toString()), libraries)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private Properties properties() {
        Properties set = new Properties();
        set.putAll(Map.of(
                "bootstrap.servers", brokers,
                "listeners", address(),
                "plugin.path", plugins.toAbsolutePath().toString()));
        set.putAll(SMALL_WORKER);
        for (String topic : List.of("config", "offset", "status")) {
            set.put(topic + ".storage.replication.factor", Integer.toString(member.replication()));
        }
        return set;
    }

    private static final Map<String, String> SMALL_WORKER = Map.ofEntries(
            Map.entry("group.id", "once-connect"),
            Map.entry("config.providers", "env"),
            Map.entry("config.providers.env.class", "org.apache.kafka.common.config.provider.EnvVarConfigProvider"),
            Map.entry("plugin.discovery", "service_load"),
            Map.entry("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter"),
            Map.entry("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter"),
            Map.entry("connector.client.config.override.policy", "All"),
            Map.entry("config.storage.topic", "connect-configs"),
            Map.entry("offset.storage.topic", "connect-offsets"),
            Map.entry("offset.storage.partitions", "1"),
            Map.entry("status.storage.topic", "connect-status"),
            Map.entry("status.storage.partitions", "1"),
            Map.entry("offset.flush.interval.ms", "1000"),
            // Above the connector's once.drain.timeout.ms: a worker that is stopped lets its calls end.
            Map.entry("task.shutdown.graceful.timeout.ms", "20000"),
            // A worker that comes back after a kill gets its tasks again at once, not after the five minutes that spare
            // a large
            // cluster two rebalances, and is not kept waiting for its own ghost for the default 45 s.
            Map.entry("scheduled.rebalance.max.delay.ms", "0"),
            Map.entry("session.timeout.ms", "6000"),
            Map.entry("heartbeat.interval.ms", "1500"),
            Map.entry("consumer.session.timeout.ms", "6000"),
            Map.entry("consumer.heartbeat.interval.ms", "1500"));
}
