package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.EmbeddedBroker;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.TopicAdmin;
import io.hellogpt.once.ops.TopicCatalogue;
import io.hellogpt.once.topology.Topics;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * A broker that everything of a run shares, and what is measured on it: instances of the application and a bare pass-through, each a
 * process of its own. Unlike the stack of the demo its processes have the heap and the compilers a server would have.
 */
final class Lab implements AutoCloseable {
    static final int PARTITIONS = 4;
    private static final List<String> BROKER_JVM = List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC");

    private final Path dir;
    private final Consumer<String> progress;
    private final EmbeddedBroker broker;
    private final TopicCatalogue catalogue = TopicCatalogue.standard();
    private int started;

    private Lab(Path dir, Consumer<String> progress) {
        this.dir = dir;
        this.progress = progress;
        this.broker = EmbeddedBroker.create(dir, BROKER_JVM);
    }

    static Lab open(Path dir, Consumer<String> progress) {
        Lab lab = new Lab(dir, progress);
        lab.broker.start();
        return lab;
    }

    String brokers() {
        return broker.address();
    }

    EmbeddedBroker broker() {
        return broker;
    }

    /** Where data and logs are. */
    Path dir() {
        return dir;
    }

    void say(String line) {
        progress.accept(line);
    }

    /** For clients. */
    OnceConfig client() {
        return OnceConfig.of(Map.of("bootstrap.servers", brokers()));
    }

    /** An instance of the application with its defaults, and these settings instead. Not started, with empty stores. */
    Subject instance(Map<String, String> settings) {
        return Subject.once(dir, "once-" + ++started, brokers(), settings);
    }

    /** Several that share the work. Not started. */
    List<Subject> instances(int count, Map<String, String> settings) {
        Map<String, String> shared = new HashMap<>(settings);
        shared.put("application.id", "once-group-" + ++started);
        return IntStream.range(0, count).mapToObj(number -> instance(shared)).toList();
    }

    /** A topology that only reads and writes. Not started. */
    Subject bare(String from, String to, int threads) {
        return Subject.bare(dir, "bare-" + ++started, List.of(brokers(), from, to, Integer.toString(threads)));
    }

    /** New topics: whatever an earlier round has left behind is gone, and its changelogs with it. */
    void fresh() throws InterruptedException {
        try (Admin admin = Admin.create(client().admin());
                TopicAdmin topics = new TopicAdmin(client().admin(), catalogue)) {
            admin.deleteTopics(admin.listTopics().names().get()).all().get();
            topics.create(PARTITIONS, 1);
        } catch (ExecutionException e) {
            throw new IllegalStateException("what the round before has left could not be deleted", e.getCause());
        }
    }

    /** Sends requests to a running instance as fast as it takes them, and returns when all have ended. */
    void warmUp(int requests, Load.Kind kind) throws InterruptedException {
        try (Arrived arrived = Arrived.in(client(), List.of(Topics.COMMITTED_RESULTS))) {
            Load.send(client(), "quick-", 0, requests, 1, kind);
            arrived.await(requests, Throughput.PATIENCE);
        }
    }

    /** Topics of the broker whose name is one of these. */
    List<String> topics(Predicate<String> wanted) {
        try (Admin admin = Admin.create(client().admin())) {
            return admin.listTopics().names().get().stream().filter(wanted).toList();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the topics could not be listed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Bytes that the partitions of these topics take on the broker's disk. */
    long bytes(Predicate<String> wanted) throws InterruptedException {
        try (Admin admin = Admin.create(client().admin())) {
            int broker = admin.describeCluster().nodes().get().iterator().next().id();
            return admin.describeLogDirs(List.of(broker)).allDescriptions().get().get(broker).values().stream()
                    .flatMap(dir -> dir.replicaInfos().entrySet().stream())
                    .filter(replica -> wanted.test(replica.getKey().topic()))
                    .mapToLong(replica -> replica.getValue().size())
                    .sum();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker does not say how large its topics are", e.getCause());
        }
    }

    /** How many records these topics hold, the marks of transactions among them. */
    long records(Predicate<String> wanted) throws InterruptedException {
        try (Admin admin = Admin.create(client().admin())) {
            Map<String, TopicDescription> topics =
                    admin.describeTopics(topics(wanted)).allTopicNames().get();
            List<TopicPartition> partitions = topics.values().stream()
                    .flatMap(topic -> topic.partitions().stream()
                            .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                    .toList();
            return offsets(admin, partitions, OffsetSpec.latest()) - offsets(admin, partitions, OffsetSpec.earliest());
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker does not say how many records its topics hold", e.getCause());
        }
    }

    private static long offsets(Admin admin, List<TopicPartition> partitions, OffsetSpec which)
            throws ExecutionException, InterruptedException {
        return admin
                .listOffsets(partitions.stream().collect(Collectors.toMap(each -> each, each -> which)))
                .all()
                .get()
                .values()
                .stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }

    /** Processor time the broker has used, in seconds. */
    double brokerSeconds() {
        return ProcessorTime.seconds(broker.child().orElseThrow().pid());
    }

    /** Whether a topic is one that users see, rather than a changelog or the broker's own. */
    boolean isTopic(String name) {
        return names().contains(name);
    }

    private List<String> names() {
        return catalogue.topics().stream().map(TopicCatalogue.Topic::name).toList();
    }

    @Override
    public void close() {
        broker.close();
    }
}
