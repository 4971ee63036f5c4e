package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.ChildProcess;
import io.hellogpt.once.embedded.ChildSpec;
import io.hellogpt.once.embedded.EffectConnector;
import io.hellogpt.once.embedded.EmbeddedConnectWorker;
import io.hellogpt.once.embedded.EmbeddedDatabase;
import io.hellogpt.once.embedded.FreePorts;
import io.hellogpt.once.embedded.Probes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What carries effects out: a PostgreSQL with the ledger, a Connect worker with the connector from its archive, and a receiver, each a
 * process of its own. The worker has the heap and the compilers a server would have.
 */
final class EffectSide implements AutoCloseable {
    /** A route of class KEYED to the receiver. */
    static final String KEYED = "keyed";

    /** The route an instance bills to by default. */
    private static final String BILLING = "billing";

    private static final String CONNECTOR = "once-effects";
    private static final List<String> WORKER_JVM = List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC");
    private static final List<String> RECEIVER_JVM = List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC");
    private static final Duration READY = Duration.ofMinutes(2);

    /**
     * What the receiver has seen.
     *
     * @param calls answered
     * @param keys how many different ones they had
     */
    record Seen(long calls, long keys) {}

    private final EmbeddedDatabase database;
    private final EmbeddedConnectWorker worker;
    private final URI receiver;
    private final ChildSpec receiverSpec;
    private ChildProcess receiverProcess;

    private EffectSide(Path dir, String brokers) {
        int port = FreePorts.next();
        database = EmbeddedDatabase.create(dir);
        worker = EmbeddedConnectWorker.create(dir, brokers, EffectConnector.plugins(), WORKER_JVM);
        receiver = URI.create("http://127.0.0.1:" + port);
        receiverSpec = ChildSpec.of(
                "receiver",
                CountingReceiver.class.getName(),
                List.of(Integer.toString(port)),
                RECEIVER_JVM,
                dir.resolve("logs").resolve("receiver.log"));
    }

    /**
     * Starts all of it, with an empty ledger, and returns when every task of the connector runs. The topics must be there.
     *
     * @param tasks of the connector
     * @param inFlight calls a task makes at a time
     */
    static EffectSide start(Lab lab, int tasks, int inFlight) throws IOException {
        EffectSide side = new EffectSide(Files.createTempDirectory(lab.dir(), "effects-"), lab.brokers());
        try {
            side.start(side.connector(lab.brokers(), tasks, inFlight));
            return side;
        } catch (RuntimeException e) {
            side.close();
            throw e;
        }
    }

    private void start(Map<String, String> connector) {
        receiverProcess = ChildProcess.start(receiverSpec);
        database.launch();
        worker.start();
        database.awaitReady();
        receiverProcess.awaitReady("its port", READY, () -> Probes.accepts(receiver.getPort()));
        worker.run(CONNECTOR, connector);
    }

    /** The connector with its defaults, but for how much it does at a time. */
    private Map<String, String> connector(String brokers, int tasks, int inFlight) {
        Map<String, String> config = new TreeMap<>();
        config.put("connector.class", "io.hellogpt.once.connect.EffectSinkConnector");
        config.put("tasks.max", Integer.toString(tasks));
        config.put("topics", "effects");
        config.put("consumer.override.isolation.level", "read_committed");
        config.put("once.outcomes.bootstrap.servers", brokers);
        config.put("once.ledger.jdbc.url", database.address());
        config.put("once.ledger.jdbc.user", EmbeddedDatabase.USER);
        config.put("once.routes", KEYED + "," + BILLING);
        config.put("once.route." + BILLING + ".class", "LOCAL");
        config.put("once.route." + BILLING + ".type", "billing");
        route(config, "class", "KEYED");
        route(config, "url", receiver.resolve(CountingReceiver.EFFECTS).toString());
        route(config, "private.addresses", "true");
        route(config, "key.window.ms", Long.toString(Duration.ofDays(1).toMillis()));
        route(config, "max.in.flight", Integer.toString(inFlight));
        return config;
    }

    private static void route(Map<String, String> config, String setting, String value) {
        config.put("once.route." + KEYED + "." + setting, value);
    }

    Seen seen() {
        String[] counts = Probes.text(receiver.resolve(CountingReceiver.COUNT))
                .orElseThrow(() -> new IllegalStateException("the receiver does not say what it has seen"))
                .split(" ");
        return new Seen(Long.parseLong(counts[0]), Long.parseLong(counts[1]));
    }

    /** Its processes, by what they are. */
    Map<String, Long> pids() {
        return Map.of(
                "worker",
                worker.child().orElseThrow().pid(),
                "postgres",
                database.server().orElseThrow().pid(),
                "receiver",
                receiverProcess.pid());
    }

    @Override
    public void close() {
        // What is in flight is of no use to anybody; the database must not outlive its parent.
        worker.kill();
        if (receiverProcess != null) {
            receiverProcess.kill();
        }
        database.close();
    }
}
