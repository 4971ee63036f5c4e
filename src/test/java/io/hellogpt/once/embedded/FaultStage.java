package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.RequestRules;
import io.hellogpt.once.ops.RequestSender;
import io.hellogpt.once.ops.TopicAdmin;
import io.hellogpt.once.ops.TopicCatalogue;
import io.hellogpt.once.ops.verify.Evidence;
import io.hellogpt.once.ops.verify.KafkaEvidence;
import io.hellogpt.once.ops.verify.LedgerEvidence;
import io.hellogpt.once.ops.verify.LogEvidence;
import io.hellogpt.once.ops.verify.Report;
import io.hellogpt.once.ops.verify.Verifier;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Everything a request meets, with a relay between the instances and their broker and a model that answers when it is told to, so
 * that each boundary is hit on purpose. Instances are processes of their own; their time-outs are short, so that a takeover is.
 */
final class FaultStage implements AutoCloseable {
    static final String GROUP = "faults";
    static final Duration SEEN = Duration.ofSeconds(60);

    private static final int PARTITIONS = 2;
    private static final int SLOTS = 16;
    private static final ObjectMapper JSON = new ObjectMapper();

    final EmbeddedBroker broker;
    final EmbeddedDatabase database;
    final EmbeddedConnectWorker worker;
    final SimulatedModelServer model;
    final Relay relay;
    private final Path dir;
    private final SimulatorPart receivers;
    private final int relayPort = FreePorts.next();
    private final Map<String, OnceInstance> instances = new TreeMap<>();
    private final OnceConfig config;
    private int crashes;

    FaultStage(Path dir) throws IOException {
        this.dir = dir;
        this.broker = EmbeddedBroker.createBehind(dir, relayPort);
        this.relay = Relay.open(relayPort, broker.relayedPort());
        this.database = EmbeddedDatabase.create(dir);
        this.worker = EmbeddedConnectWorker.create(dir, broker.address(), EffectConnector.plugins());
        this.receivers = SimulatorPart.receivers(dir);
        this.model = SimulatedModelServer.start(SimulatedModelConfig.logging(dir.resolve("model.jsonl")));
        this.config = OnceConfig.of(Map.of("bootstrap.servers", broker.address(), "application.id", GROUP));
        Files.writeString(dir.resolve("api-key"), "simulated\n");
    }

    void start() {
        start(Map.of());
    }

    /** @param routes settings of the connector's routes, instead of those of the simulated receivers; none for those */
    void start(Map<String, String> routes) {
        Stack.all(broker::start, database::start, receivers::start);
        try (TopicAdmin topics = new TopicAdmin(config.admin(), TopicCatalogue.standard())) {
            topics.create(PARTITIONS, 1);
        }
        Stack.all(
                () -> {
                    worker.start();
                    worker.run(EffectConnector.NAME, connector(routes));
                },
                () -> instance("a").start());
    }

    private Map<String, String> connector(Map<String, String> routes) {
        Map<String, String> config =
                new TreeMap<>(EffectConnector.config(broker.address(), database.address(), receivers.address()));
        if (!routes.isEmpty()) {
            config.keySet().removeIf(key -> key.startsWith("once.route"));
            config.putAll(routes);
        }
        return config;
    }

    OnceConfig config() {
        return config;
    }

    /** An instance by its name, which its clients carry; made on first use. */
    OnceInstance instance(String name) {
        return instance(name, Map.of());
    }

    OnceInstance instance(String name, Map<String, String> more) {
        return instances.computeIfAbsent(name, any -> {
            Map<String, String> settings = new TreeMap<>(Map.ofEntries(
                    Map.entry("bootstrap.servers", "127.0.0.1:" + relayPort),
                    Map.entry("application.id", GROUP),
                    Map.entry("model.client", "openai"),
                    Map.entry("model.openai.base.url", model.baseUrl().toString()),
                    Map.entry(
                            "model.openai.api.key.file", dir.resolve("api-key").toString()),
                    Map.entry("model.openai.provider", "simulated"),
                    Map.entry("model.max.in.flight", Integer.toString(SLOTS)),
                    Map.entry("num.stream.threads", "1"),
                    Map.entry("transaction.timeout.ms", "4000"),
                    Map.entry("shutdown.drain.timeout", "25s"),
                    Map.entry("kafka.client.id", name),
                    Map.entry("kafka.consumer.session.timeout.ms", "3000"),
                    Map.entry("kafka.consumer.heartbeat.interval.ms", "500"),
                    Map.entry("rocksdb.block.cache.bytes", Integer.toString(16 << 20)),
                    Map.entry("rocksdb.write.buffer.bytes", Integer.toString(8 << 20))));
            settings.putAll(more);
            return OnceInstance.create(name, dir, settings);
        });
    }

    /** Lets these instances run and no others. */
    void only(String... names) {
        List<String> wanted = List.of(names);
        instances.forEach((name, instance) -> {
            if (!wanted.contains(name)) {
                instance.stop();
            }
        });
        Stack.all(wanted.stream()
                .map(this::instance)
                .filter(instance -> !instance.isAlive())
                .<Runnable>map(instance -> instance::start)
                .toArray(Runnable[]::new));
        if (names.length > 0) {
            await().atMost(SEEN).until(() -> owners() == names.length);
            atRest();
        }
    }

    /** SIGKILL; the verifier then allows for the calls that died with it. */
    void kill(String name) {
        instance(name).kill();
        crashes++;
    }

    /** SIGSTOP; others will take it for dead, and repeat its calls. */
    void pause(String name) {
        instance(name).child().orElseThrow().pause();
        crashes++;
    }

    /** Its stream threads read nothing, while the group still hears from them. */
    Relay.Hold holdReads(String name) {
        return relay.hold((kind, client, request) -> kind == ApiKeys.FETCH && isStreamConsumer(client, name));
    }

    /** The group hears nothing from it any more, and others will take it for dead; its producers go on. */
    Relay.Hold holdMembership(String name) {
        crashes++;
        return relay.hold((kind, client, request) -> isStreamConsumer(client, name));
    }

    private static boolean isStreamConsumer(String client, String name) {
        return client.startsWith(name + "-StreamThread-")
                && client.endsWith("-consumer")
                && !client.endsWith("-restore-consumer");
    }

    void resumeAll() {
        instances.values().stream()
                .flatMap(instance -> instance.child().stream())
                .forEach(ChildProcess::resume);
        worker.child().ifPresent(ChildProcess::resume);
    }

    /** The commit of the first transaction in which an instance writes about a request. */
    Relay.Hold holdCommit(String name, String id) {
        return relay.holdCommit(name + "-", id);
    }

    /** Records an instance writes to the journal. */
    Relay.Hold holdJournal(String name) {
        return relay.hold((kind, client, request) -> kind == ApiKeys.PRODUCE && client.equals(name));
    }

    void send(String... ids) {
        send(Stream.of(ids).map(id -> contract(id, "a contract")).toList());
    }

    /** Requests with so many bytes of input each. */
    void sendLarge(int bytes, String... ids) {
        send(Stream.of(ids).map(id -> contract(id, "x".repeat(bytes))).toList());
    }

    void send(List<String> lines) {
        RequestSender.Parsed parsed = RequestSender.parse(config, lines);
        assertThat(parsed.refused()).isEmpty();
        assertThat(RequestSender.send(config, parsed.requests(), RequestSender.Format.json, count -> {})
                        .failures())
                .isEmpty();
    }

    /** A request that fails if it has no answer by then. */
    void sendUntil(Instant deadline, String id) {
        send(List.of("""
                {"request_id":"%s","model":"m","input":"a contract","deadline":"%s"}""".formatted(id, deadline)));
    }

    private static String contract(String id, String input) {
        return """
                {"request_id":"%s","model":"m","input":"%s","policy":"declared","effects":[{"name":"sign",\
                "route":"sign","payload":{},"pointers":{"/document":"/choices/0/message/content"}}]}""".formatted(id, input);
    }

    /** Calls for a request, by the model's own account. */
    List<JsonNode> calls(String id) {
        try {
            return Files.readAllLines(dir.resolve("model.jsonl")).stream()
                    .map(FaultStage::json)
                    .filter(call -> call.path("request_id").asText().equals(id))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitCalls(int count, String... ids) {
        await().atMost(SEEN)
                .untilAsserted(() -> assertThat(ids)
                        .allSatisfy(id -> assertThat(calls(id)).as(id).hasSize(count)));
    }

    /** Each of them has exactly one ending, and it is a good one. */
    void awaitCommitted(String... ids) {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> {
                    List<String> endings = read(Topics.COMMITTED_RESULTS).stream()
                            .map(ending -> ending.path("request_id").asText())
                            .toList();
                    assertThat(ids)
                            .allSatisfy(id -> assertThat(endings).as("endings").containsOnlyOnce(id));
                });
    }

    /** All committed records of a topic. */
    List<ObjectNode> read(String topic) {
        List<ObjectNode> records = new ArrayList<>();
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            reader.readAll(reader.partitions(topic), record -> records.add(RecordJson.read(record.value())));
        }
        return records;
    }

    List<ObjectNode> read(String topic, String id) {
        return read(topic).stream()
                .filter(record -> record.path("request_id").asText().equals(id))
                .toList();
    }

    String log(String name) {
        try {
            return Files.readString(dir.resolve("logs").resolve(name + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void deleteState(String name) throws IOException {
        try (Stream<Path> files = Files.walk(instance(name).state())) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
        assertThat(instance(name).state()).doesNotExist();
    }

    /** How many members of the group own partitions. */
    long owners() {
        try (Admin admin = Admin.create(config.admin())) {
            return admin.describeConsumerGroups(List.of(GROUP)).all().get().get(GROUP).members().stream()
                    .filter(member -> !member.assignment().topicPartitions().isEmpty())
                    .count();
        } catch (ExecutionException e) {
            return 0;
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Transactions that are open, with their state. */
    List<String> openTransactions() {
        try (Admin admin = Admin.create(config.admin())) {
            return admin.listTransactions().all().get().stream()
                    .filter(transaction -> transaction.state() == TransactionState.ONGOING
                            || transaction.state() == TransactionState.PREPARE_ABORT
                            || transaction.state() == TransactionState.PREPARE_COMMIT)
                    .map(Object::toString)
                    .toList();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Waits until everything that was sent has been read and committed: what is held from then on belongs to what comes. */
    void atRest() {
        await("everything to be read")
                .atMost(SEEN)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(behind()).isEmpty());
    }

    private Map<TopicPartition, Long> behind() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(config.admin())) {
            Map<TopicPartition, OffsetAndMetadata> read = admin.listConsumerGroupOffsets(GROUP)
                    .partitionsToOffsetAndMetadata()
                    .get();
            Map<TopicPartition, OffsetSpec> asked =
                    new TreeMap<>((x, y) -> x.toString().compareTo(y.toString()));
            for (String topic : List.of(Topics.REQUESTS, Topics.MODEL_RESPONSES, Topics.EFFECT_OUTCOMES)) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    asked.put(new TopicPartition(topic, partition), OffsetSpec.latest());
                }
            }
            Map<TopicPartition, ListOffsetsResult.ListOffsetsResultInfo> ends =
                    admin.listOffsets(asked).all().get();
            Map<TopicPartition, Long> behind = new HashMap<>();
            ends.forEach((partition, end) -> {
                long position = Optional.ofNullable(read.get(partition))
                        .map(OffsetAndMetadata::offset)
                        .orElse(0L);
                if (position < end.offset()) {
                    behind.put(partition, end.offset() - position);
                }
            });
            return behind;
        }
    }

    /** What the verifier makes of topics, ledger and the logs of model and receivers. */
    Report verify() throws Exception {
        Evidence.Ledger ledger = LedgerEvidence.read(database.address(), new Properties());
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            KafkaEvidence topics = new KafkaEvidence(reader, RequestRules.decoder(config));
            Evidence.Work work = topics.work();
            return Verifier.verify(new Evidence(
                    topics.intake(),
                    work,
                    Optional.of(ledger),
                    LogEvidence.read(List.of(receivers.calls()), List.of(dir.resolve("model.jsonl"))),
                    new Evidence.Terms(crashes, SLOTS, Duration.ofDays(7), false, topics.missing())));
        }
    }

    @Override
    public void close() throws IOException {
        model.release();
        Stack.all(instances.values().stream()
                .<Runnable>map(instance -> instance::close)
                .toArray(Runnable[]::new));
        worker.close();
        Stack.all(receivers::close, database::close, broker::close);
        relay.close();
        model.close();
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException(e);
    }
}
