package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.ChildPart;
import io.hellogpt.once.embedded.ClusterBroker;
import io.hellogpt.once.embedded.EffectConnector;
import io.hellogpt.once.embedded.EmbeddedConnectWorker;
import io.hellogpt.once.embedded.EmbeddedDatabase;
import io.hellogpt.once.embedded.KraftCluster;
import io.hellogpt.once.embedded.OnceInstance;
import io.hellogpt.once.embedded.SimulatorPart;
import io.hellogpt.once.embedded.chaos.Network.Party;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.TopicAdmin;
import io.hellogpt.once.ops.TopicCatalogue;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The whole system, spread over a dozen processes with a proxy between any two that talk: three brokers, two instances and a spare one,
 * two workers, a database, a model and receivers. Whoever made the rig reaches brokers and database directly.
 */
final class Rig implements AutoCloseable {
    static final String CONNECTOR = "once-effects";
    static final int PARTITIONS = 4;
    static final int REPLICATION = 3;

    private static final String PRODUCERS = "PRODUCERS";
    private static final int INSTANCES = 2;

    private final ChaosSettings settings;
    private final Path dir;
    private final Network network = new Network();
    private final KraftCluster cluster;
    private final EmbeddedDatabase database;
    private final SimulatorPart model;
    private final SimulatorPart receivers;
    private final List<EmbeddedConnectWorker> workers = new ArrayList<>();
    private final List<OnceInstance> instances = new ArrayList<>();
    private final List<URI> callbackDoors = new ArrayList<>();
    private final Optional<SmallDisk> disk;
    private final Optional<SkewedClock> clock;

    /** A part and what it is there for. */
    record Member(Role role, ChildPart part) {
        String name() {
            return part.name();
        }
    }

    private Rig(Path dir, ChaosSettings settings) {
        this.dir = dir;
        this.settings = settings;
        RigSettings written = new RigSettings(dir, settings);
        this.disk = SmallDisk.mount(diskPoint(dir), settings.diskMegabytes());
        this.clock = SkewedClock.in(dir);
        this.cluster = KraftCluster.create(
                dir,
                REPLICATION,
                List.of("INSTANCE1", "INSTANCE2", "INSTANCE3", "WORKER1", "WORKER2", PRODUCERS),
                (client, broker, port) -> network.link(party(client), broker(broker), port),
                (one, other, at, to) -> network.join(broker(one), broker(other), at, to));
        this.database = EmbeddedDatabase.create(dir);
        this.model = SimulatorPart.model(dir, written.model());
        this.receivers = SimulatorPart.receivers(dir, written.receivers());
        for (int number = 1; number <= 2; number++) {
            workers.add(worker(number));
        }
        for (int number = 1; number <= INSTANCES + 1; number++) {
            instances.add(instance(number, written));
        }
        for (OnceInstance instance : regulars()) {
            int door = network.link(
                    new Party(Role.RECEIVERS, "receivers"),
                    new Party(Role.INSTANCE, instance.name()),
                    portOf(instance.address()));
            callbackDoors.add(URI.create("http://127.0.0.1:" + door));
        }
    }

    /**
     * Writes what every part needs; {@link #start} comes next.
     *
     * @param dir an empty directory
     */
    static Rig create(Path dir, ChaosSettings settings) {
        // Before anything is mounted or opened.
        EffectConnector.plugins();
        return new Rig(dir, settings);
    }

    /** Where a small disk is mounted in a rig's directory, if it can be. */
    static Path diskPoint(Path dir) {
        return dir.resolve("disk");
    }

    /** Starts everything but the spare instance and returns when all of it is ready. */
    void start(Consumer<String> progress) {
        progress.accept("starting three brokers, database, model and receivers");
        Together.run(Stream.concat(
                        cluster.brokers().stream().<Runnable>map(broker -> broker::start),
                        Stream.of(database::start, model::start, receivers::start))
                .toList());
        try (TopicAdmin topics = new TopicAdmin(config().admin(), TopicCatalogue.standard())) {
            topics.create(PARTITIONS, REPLICATION);
        }
        progress.accept("starting two workers and two instances");
        Together.run(Stream.concat(
                        workers.stream().<Runnable>map(worker -> worker::start),
                        regulars().stream().<Runnable>map(instance -> instance::start))
                .toList());
        workers.getFirst().run(CONNECTOR, Routes.connector(EmbeddedDatabase.USER));
    }

    /** A configuration that reaches the cluster without a proxy. */
    OnceConfig config() {
        return OnceConfig.of(Map.of(
                "bootstrap.servers", cluster.bootstrap(KraftCluster.OWNER),
                "replication.factor", Integer.toString(REPLICATION),
                "kafka.default.api.timeout.ms", "120000"));
    }

    /** What the producers run with. */
    OnceConfig producers() {
        return OnceConfig.of(Map.of("bootstrap.servers", cluster.bootstrap(PRODUCERS)));
    }

    /** Whether there is a way between any two brokers that can be broken. */
    boolean brokersAreApart() {
        return cluster.brokersAreApart();
    }

    /** What the instances run with, reached as {@link #config} reaches it. */
    OnceConfig instanceSettings() {
        Map<String, String> values =
                new TreeMap<>(new RigSettings(dir, settings).instance(cluster.bootstrap(KraftCluster.OWNER), 1));
        values.put("kafka.default.api.timeout.ms", "120000");
        return OnceConfig.of(values);
    }

    /** Every part, the spare instance last. */
    List<Member> members() {
        List<Member> members = new ArrayList<>();
        cluster.brokers().forEach(broker -> members.add(new Member(Role.BROKER, broker)));
        members.add(new Member(Role.DATABASE, database));
        members.add(new Member(Role.MODEL, model));
        members.add(new Member(Role.RECEIVERS, receivers));
        workers.forEach(worker -> members.add(new Member(Role.WORKER, worker)));
        instances.forEach(instance -> members.add(new Member(Role.INSTANCE, instance)));
        return List.copyOf(members);
    }

    Network network() {
        return network;
    }

    List<ClusterBroker> brokers() {
        return cluster.brokers();
    }

    EmbeddedDatabase database() {
        return database;
    }

    SimulatorPart model() {
        return model;
    }

    SimulatorPart receivers() {
        return receivers;
    }

    /** Where the orders the receivers have taken and somebody has carried out are written down. */
    Path ordersLog() {
        return dir.resolve("orders.jsonl");
    }

    /** The receivers' own account of what was done. */
    List<Path> receiverLogs() {
        return List.of(receivers.calls(), ordersLog());
    }

    /** Where receivers call back, one for each instance that is meant to run all the time. */
    List<URI> callbackDoors() {
        return List.copyOf(callbackDoors);
    }

    List<EmbeddedConnectWorker> workers() {
        return List.copyOf(workers);
    }

    /** The instances that are meant to run all the time. */
    List<OnceInstance> regulars() {
        return List.copyOf(instances.subList(0, INSTANCES));
    }

    OnceInstance spare() {
        return instances.get(INSTANCES);
    }

    /** The small disk under the first instance, where there is one. */
    Optional<SmallDisk> disk() {
        return disk;
    }

    /** The clock of the second instance, where it can be set. */
    Optional<SkewedClock> clock() {
        return clock;
    }

    Path stateOf(OnceInstance instance) {
        boolean small = disk.isPresent() && instance == instances.getFirst();
        return small
                ? disk.get().path().resolve("state")
                : dir.resolve(instance.name()).resolve("state");
    }

    Path directory() {
        return dir;
    }

    private EmbeddedConnectWorker worker(int number) {
        String name = "worker-" + number;
        Party self = new Party(Role.WORKER, name);
        String brokers = cluster.bootstrap("WORKER" + number);
        int ledger = network.link(self, new Party(Role.DATABASE, "database"), portOf(database.address()));
        int outside = network.link(self, new Party(Role.RECEIVERS, "receivers"), portOf(receivers.address()));
        Map<String, String> addresses = Map.of(
                "ONCE_BROKERS",
                brokers,
                "ONCE_LEDGER",
                "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(ledger),
                "ONCE_RECEIVERS",
                "http://127.0.0.1:" + outside);
        return EmbeddedConnectWorker.create(
                dir,
                new EmbeddedConnectWorker.Member(name, REPLICATION, addresses),
                brokers,
                EffectConnector.plugins());
    }

    private OnceInstance instance(int number, RigSettings written) {
        String name = "instance-" + number;
        Party self = new Party(Role.INSTANCE, name);
        int answers = network.link(self, new Party(Role.MODEL, "model"), portOf(model.address()));
        Map<String, String> values = written.instance(cluster.bootstrap("INSTANCE" + number), answers);
        if (number == 1) {
            disk.ifPresent(small ->
                    values.put("state.dir", small.path().resolve("state").toString()));
        }
        Map<String, String> environment =
                number == 2 ? clock.map(SkewedClock::environment).orElse(Map.of()) : Map.of();
        return OnceInstance.create(name, dir, values, environment);
    }

    /** A listener's name tells who comes in there. */
    private static Party party(String client) {
        if (client.equals(PRODUCERS)) {
            return new Party(Role.PRODUCER, "producers");
        }
        String number = client.substring(client.length() - 1);
        return client.startsWith("INSTANCE")
                ? new Party(Role.INSTANCE, "instance-" + number)
                : new Party(Role.WORKER, "worker-" + number);
    }

    private static Party broker(int id) {
        return new Party(Role.BROKER, "broker-" + id);
    }

    private static int portOf(String address) {
        String rest = address.substring(address.lastIndexOf(':') + 1);
        return Integer.parseInt(rest.replaceFirst("\\D.*", ""));
    }

    /** Everything has been read that it could still say: an orderly end would take as long as the start. */
    @Override
    public void close() {
        Together.run(
                members().stream().<Runnable>map(member -> member.part()::kill).toList());
        network.close();
        disk.ifPresent(SmallDisk::close);
    }

    /** Longer than an instance that can reach nobody needs for an orderly end. */
    static Duration stopTimeout() {
        return Duration.ofSeconds(60);
    }
}
