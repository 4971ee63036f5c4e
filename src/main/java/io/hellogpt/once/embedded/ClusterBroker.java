package io.hellogpt.once.embedded;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.metadata.storage.Formatter;

/** One broker and controller of a {@link KraftCluster}, in a child JVM. Started again it finds its data and its ports. */
public final class ClusterBroker extends ChildPart {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(90);
    private static final String CONTROLLER = "CONTROLLER";
    private static final String BROKERS = "BROKERS";

    private final int id;
    private final Path dir;
    private final Path log;
    private final Path settings;
    private final List<Listener> listeners;
    private final Peers peers;

    /**
     * Where one kind of client comes in.
     *
     * @param name of the kind of client
     * @param port it listens on
     * @param advertised the port such clients are told to use; the same one, or a proxy's
     */
    record Listener(String name, int port, int advertised) {}

    private ClusterBroker(Path workDir, int id, List<Listener> listeners, Peers peers) {
        this.id = id;
        this.peers = peers;
        this.dir = workDir.resolve("broker-" + id);
        this.log = workDir.resolve("logs").resolve("broker-" + id + ".log");
        this.settings = dir.resolve("server.properties");
        this.listeners = List.copyOf(listeners);
    }

    /**
     * Formats its storage and writes its settings.
     *
     * @param listeners of clients; the first one is for whoever started the cluster
     * @param peers where the brokers of the cluster meet
     */
    static ClusterBroker create(Path workDir, int id, String clusterId, List<Listener> listeners, Peers peers) {
        ClusterBroker broker = new ClusterBroker(workDir, id, listeners, peers);
        try {
            Files.createDirectories(broker.data());
            Files.writeString(broker.hosts(), peers.hosts(id));
            try (Writer out = Files.newBufferedWriter(broker.settings)) {
                broker.properties().store(out, null);
            }
        } catch (IOException e) {
            throw new EmbeddedException("the files of a broker in " + broker.dir + " could not be written", e);
        }
        broker.format(clusterId);
        return broker;
    }

    public int id() {
        return id;
    }

    /** Where whoever started the cluster reaches it. */
    @Override
    public String address() {
        return "127.0.0.1:" + listeners.getFirst().advertised();
    }

    @Override
    ChildSpec spec() {
        return ChildSpec.of(
                        "broker-" + id,
                        "kafka.Kafka",
                        List.of(settings.toAbsolutePath().toString()),
                        ChildSpec.jvm(
                                96,
                                256,
                                ChildFiles.loggingOption(dir),
                                "-Djdk.net.hosts.file=" + hosts().toAbsolutePath()),
                        log)
                .on(BrokerLibraries.classpath(dir));
    }

    @Override
    void awaitReady(ChildProcess child) {
        child.awaitReady("its place in the cluster", READY_TIMEOUT, this::isRegistered);
    }

    /** That a port is open says little: without a quorum of controllers it serves nobody. */
    private boolean isRegistered() {
        if (!Probes.accepts(listeners.getFirst().port())) {
            return false;
        }
        Map<String, Object> config = Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address(),
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 2_000,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 4_000);
        try (Admin admin = Admin.create(config)) {
            return admin.describeCluster().nodes().get().stream().map(Node::id).anyMatch(node -> node == id);
        } catch (ExecutionException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedException("interrupted while waiting for a broker", e);
        }
    }

    private Path data() {
        return dir.resolve("data");
    }

    private Path hosts() {
        return dir.resolve("hosts");
    }

    private void format(String clusterId) {
        try {
            new Formatter()
                    .setNodeId(id)
                    .setClusterId(clusterId)
                    .addDirectory(data().toString())
                    .setMetadataLogDirectory(data().toString())
                    .setControllerListenerName(CONTROLLER)
                    .setReleaseVersion(BrokerLibraries.RELEASE)
                    .setPrintStream(new PrintStream(PrintStream.nullOutputStream()))
                    .run();
        } catch (Exception e) {
            throw new EmbeddedException("the storage in " + data() + " could not be formatted", e);
        }
    }

    private Properties properties() {
        Properties set = new Properties();
        set.putAll(EmbeddedBroker.SMALL_NODE);
        set.putAll(EmbeddedBroker.copies(peers.size()));
        set.put("process.roles", "broker,controller");
        set.put("node.id", Integer.toString(id));
        set.put("controller.listener.names", CONTROLLER);
        set.put("controller.quorum.voters", peers.voters());
        String inside = ",%s://%s".formatted(BROKERS, peers.replication(id));
        set.put("listeners", listed(Listener::port) + inside + ",%s://%s".formatted(CONTROLLER, peers.quorum(id)));
        set.put("advertised.listeners", listed(Listener::advertised) + inside);
        set.put("inter.broker.listener.name", BROKERS);
        set.put(
                "listener.security.protocol.map",
                Stream.concat(Stream.of(CONTROLLER, BROKERS), listeners.stream().map(Listener::name))
                        .map(name -> name + ":PLAINTEXT")
                        .collect(Collectors.joining(",")));
        set.put("log.dirs", data().toAbsolutePath().toString());
        set.put("auto.create.topics.enable", "false");
        // Per listener, and there are many.
        set.put("num.network.threads", "1");
        // A follower that cannot follow leaves the set of those in sync after this long; until then writes wait for it.
        set.put("replica.lag.time.max.ms", "5000");
        set.put("replica.socket.timeout.ms", "3000");
        set.put("replica.fetch.wait.max.ms", "200");
        return set;
    }

    private String listed(ToIntFunction<Listener> port) {
        return listeners.stream()
                .map(each -> "%s://127.0.0.1:%d".formatted(each.name(), port.applyAsInt(each)))
                .collect(Collectors.joining(","));
    }
}
