package io.hellogpt.once.embedded;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A real Kafka broker and KRaft controller in one child JVM, on loopback. Stopped or killed and started again, it keeps its ports, its
 * cluster id and its data.
 */
public final class EmbeddedBroker extends ChildPart {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);
    private static final int NODE_ID = 1;
    private static final String CONTROLLER = "CONTROLLER";
    private static final String CLIENTS = "PLAINTEXT";
    private static final String RELAYED = "RELAYED";
    private static final List<String> SMALL_JVM = ChildSpec.jvm(128, 384);

    private final Path dir;
    private final Path log;
    private final Path settings;
    private final int port = FreePorts.next();
    private final int controllerPort = FreePorts.next();
    private final OptionalInt relay;
    private final int relayedPort = FreePorts.next();
    private final List<String> jvm;

    private EmbeddedBroker(Path workDir, OptionalInt relay, List<String> jvm) {
        this.relay = relay;
        this.jvm = jvm;
        this.dir = workDir.resolve("broker");
        this.log = workDir.resolve("logs").resolve("broker.log");
        this.settings = dir.resolve("server.properties");
    }

    /** Formats the storage of a new cluster and writes its settings; {@link #start} comes next. */
    public static EmbeddedBroker create(Path workDir) {
        return create(workDir, OptionalInt.empty(), SMALL_JVM);
    }

    /**
     * The same for whoever wants to know how fast it is.
     *
     * @param jvm options of its JVM, instead of those of one that shares a machine with a dozen others
     */
    public static EmbeddedBroker create(Path workDir, List<String> jvm) {
        return create(workDir, OptionalInt.empty(), jvm);
    }

    /**
     * A broker with a second listener, which clients are told to reach at another port: that of a relay, which passes on what it
     * gets to {@link #relayedPort}.
     */
    static EmbeddedBroker createBehind(Path workDir, int relay) {
        return create(workDir, OptionalInt.of(relay), SMALL_JVM);
    }

    private static EmbeddedBroker create(Path workDir, OptionalInt relay, List<String> jvm) {
        EmbeddedBroker broker = new EmbeddedBroker(workDir, relay, jvm);
        try {
            Files.createDirectories(broker.data());
            try (Writer out = Files.newBufferedWriter(broker.settings)) {
                broker.properties().store(out, null);
            }
            broker.format();
        } catch (IOException e) {
            throw new EmbeddedException("the broker's files in " + broker.dir + " could not be written", e);
        }
        return broker;
    }

    /** The bootstrap servers. */
    @Override
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Where a relay reaches the second listener. */
    int relayedPort() {
        return relayedPort;
    }

    @Override
    ChildSpec spec() {
        return ChildSpec.of(
                        "broker",
                        "kafka.Kafka",
                        List.of(settings.toAbsolutePath().toString()),
                        Stream.concat(jvm.stream(), Stream.of(ChildFiles.loggingOption(dir)))
                                .toList(),
                        log)
                .on(BrokerLibraries.classpath(dir));
    }

    @Override
    void awaitReady(ChildProcess child) {
        child.awaitReady("its port " + port, READY_TIMEOUT, () -> Probes.accepts(port));
        child.awaitReady("its cluster metadata", READY_TIMEOUT, this::describesItself);
    }

    private boolean describesItself() {
        Map<String, Object> config = Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address(),
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 2_000,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 4_000);
        try (Admin admin = Admin.create(config)) {
            return !admin.describeCluster().nodes().get().isEmpty();
        } catch (ExecutionException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedException("interrupted while waiting for the broker", e);
        }
    }

    private Path data() {
        return dir.resolve("data");
    }

    private void format() {
        try {
            new Formatter()
                    .setNodeId(NODE_ID)
                    .setClusterId(Uuid.randomUuid().toString())
                    .addDirectory(data().toString())
                    .setMetadataLogDirectory(data().toString())
                    .setControllerListenerName(CONTROLLER)
                    .setReleaseVersion(BrokerLibraries.RELEASE)
                    .setPrintStream(new PrintStream(PrintStream.nullOutputStream()))
                    .run();
        } catch (Exception e) {
            throw new EmbeddedException("the broker's storage in " + data() + " could not be formatted", e);
        }
    }

    private Properties properties() {
        Properties set = new Properties();
        set.putAll(Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                Integer.toString(NODE_ID),
                "controller.quorum.voters",
                NODE_ID + "@127.0.0.1:" + controllerPort,
                "controller.listener.names",
                CONTROLLER,
                "listeners",
                "%s://127.0.0.1:%d,%s://127.0.0.1:%d".formatted(CLIENTS, port, CONTROLLER, controllerPort),
                "advertised.listeners",
                "%s://127.0.0.1:%d".formatted(CLIENTS, port),
                "inter.broker.listener.name",
                CLIENTS,
                "listener.security.protocol.map",
                CONTROLLER + ":PLAINTEXT," + CLIENTS + ":PLAINTEXT",
                "log.dirs",
                data().toAbsolutePath().toString(),
                "auto.create.topics.enable",
                "false"));
        set.putAll(SMALL_NODE);
        set.putAll(copies(1));
        relay.ifPresent(advertised -> addRelayed(set, advertised));
        return set;
    }

    private void addRelayed(Properties set, int advertised) {
        append(set, "listeners", "%s://127.0.0.1:%d".formatted(RELAYED, relayedPort));
        append(set, "advertised.listeners", "%s://127.0.0.1:%d".formatted(RELAYED, advertised));
        append(set, "listener.security.protocol.map", RELAYED + ":PLAINTEXT");
    }

    private static void append(Properties set, String name, String more) {
        set.setProperty(name, set.getProperty(name) + "," + more);
    }

    /** What a cluster keeps for itself, in so many copies. */
    static Map<String, String> copies(int replication) {
        String copies = Integer.toString(replication);
        String inSync = Integer.toString(Math.max(1, replication - 1));
        return Map.of(
                "default.replication.factor", copies,
                "min.insync.replicas", inSync,
                "offsets.topic.replication.factor", copies,
                "transaction.state.log.replication.factor", copies,
                "transaction.state.log.min.isr", inSync,
                "share.coordinator.state.topic.replication.factor", copies,
                "share.coordinator.state.topic.min.isr", inSync);
    }

    /** Every default that assumes many clients or a big machine. */
    static final Map<String, String> SMALL_NODE = Map.ofEntries(
            Map.entry("offsets.topic.num.partitions", "4"),
            Map.entry("transaction.state.log.num.partitions", "4"),
            Map.entry("share.coordinator.state.topic.num.partitions", "1"),
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            // After a kill the controller takes the broker back only when the old session has timed out.
            Map.entry("broker.session.timeout.ms", "4000"),
            Map.entry("broker.heartbeat.interval.ms", "500"),
            // A killed member is missed after its session timeout; the default minimum of 6 s would be the floor of
            // every recovery.
            Map.entry("group.min.session.timeout.ms", "1000"),
            // A killed producer's transaction holds up read_committed readers until it is aborted.
            Map.entry("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000"),
            Map.entry("num.network.threads", "2"),
            Map.entry("num.io.threads", "4"),
            Map.entry("background.threads", "2"),
            Map.entry("num.recovery.threads.per.data.dir", "2"),
            Map.entry("log.cleaner.dedupe.buffer.size", "16777216"));
}
