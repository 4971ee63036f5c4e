package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RecordJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The connector from its archive in real workers of both kinds, found by its ServiceLoader manifest, with its secrets in a file, and
 * given what is no effect, or not one it can carry out, among what is; with outcomes in either format.
 */
class ConnectorOnWorkersIT {
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final String NAME = "bad-input";
    private static final byte[] UNKNOWN_SCHEMA = {(byte) 0xc3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    private static final List<byte[]> POISON = List.of(
            "garbage".getBytes(StandardCharsets.UTF_8),
            UNKNOWN_SCHEMA,
            "{\"effect_id\":\"x:0.1\"}".getBytes(StandardCharsets.UTF_8));
    private static final int RECORDS = POISON.size() + 5;

    @TempDir
    static Path dir;

    private static EmbeddedBroker broker;
    private static EmbeddedDatabase database;
    private Receiver receiver;
    private String effects;
    private String outcomes;

    @BeforeAll
    static void openAll() throws IOException {
        broker = EmbeddedBroker.create(dir);
        database = EmbeddedDatabase.create(dir);
        Stack.all(broker::start, database::start);
        Files.writeString(dir.resolve("secrets.properties"), "token=s3cret\npassword=unused\n");
    }

    @AfterAll
    static void closeAll() {
        database.close();
        broker.close();
    }

    @BeforeEach
    void open() throws Exception {
        receiver = new Receiver();
        createTopics();
    }

    private void createTopics() throws Exception {
        String run = UUID.randomUUID().toString();
        effects = "effects-" + run;
        outcomes = "outcomes-" + run;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            admin.createTopics(List.of(new NewTopic(effects, 1, (short) 1), new NewTopic(outcomes, 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    @Test
    void aDistributedWorkerRunsItWhateverItDoesAboutErrors() throws Exception {
        try (EmbeddedConnectWorker worker = EmbeddedConnectWorker.create(
                dir,
                EmbeddedConnectWorker.Member.ALONE,
                broker.address(),
                EffectConnector.plugins(),
                configProvider())) {
            worker.start();
            for (Map.Entry<String, Map<String, String>> tolerance : tolerances().entrySet()) {
                // Topics and a group of its own each.
                createTopics();
                String run = tolerance.getKey();
                Map<String, String> config = new HashMap<>(config(run));
                config.putAll(tolerance.getValue());
                worker.run(NAME + run, config);

                badInputIsAnsweredAndHarmsNobody(run);

                assertThat(worker.rest().isRunning(NAME + run)).isTrue();
                await().atMost(BOUND).until(() -> committed("connect-" + NAME + run) == RECORDS);
                for (int offset = 0; offset < POISON.size(); offset++) {
                    assertThat(Files.readString(dir.resolve("logs").resolve("worker.log")))
                            .contains("record is no effect, skipped position=" + effects + "-0@" + offset);
                }
                worker.rest().delete(NAME + run);
            }
            assertThat(version(worker.rest())).isEqualTo(archiveVersion());
            assertThat(values("dead")).containsExactlyElementsOf(POISON);
        }
    }

    /** A worker has no reporter unless errors are tolerated and there is somewhere to report them to. */
    private static Map<String, Map<String, String>> tolerances() {
        Map<String, Map<String, String>> tolerances = new LinkedHashMap<>();
        tolerances.put("none", Map.of("errors.tolerance", "none"));
        tolerances.put("silent", Map.of("errors.tolerance", "all"));
        tolerances.put(
                "queue",
                Map.of(
                        "errors.tolerance", "all",
                        "errors.deadletterqueue.topic.name", "dead",
                        "errors.deadletterqueue.topic.replication.factor", "1"));
        return tolerances;
    }

    @Test
    void aStandaloneWorkerRunsIt() throws Exception {
        Map<String, String> settings = new HashMap<>(configProvider());
        settings.put("bootstrap.servers", broker.address());
        settings.put("plugin.path", EffectConnector.plugins().toAbsolutePath().toString());
        settings.put("plugin.discovery", "service_load");
        settings.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        settings.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        settings.put("offset.flush.interval.ms", "1000");
        Map<String, String> config = new HashMap<>(config("s"));
        config.put("once.outcomes.format", "json");
        try (StandaloneWorker worker = new StandaloneWorker(dir, settings, NAME, config)) {
            worker.start();

            badInputIsAnsweredAndHarmsNobody("s");

            assertThat(values(outcomes))
                    .allSatisfy(value -> assertThat(new String(value, StandardCharsets.UTF_8))
                            .startsWith("{\"")
                            .contains("\"effect_id\":\"s-", "\"attempt\":1"));

            assertThat(worker.rest().isRunning(NAME)).isTrue();
            assertThat(version(worker.rest())).isEqualTo(archiveVersion());
        }
    }

    /** @param run keeps the ids of the two tests apart, which share a ledger */
    private void badInputIsAnsweredAndHarmsNobody(String run) {
        int before = receiver.calls().size();
        List<byte[]> records = new ArrayList<>(POISON);
        records.add(effect(run + "-nowhere", "nowhere", "{\"n\":1}"));
        records.add(effect(run + "-large", "sign", "{\"n\":1,\"x\":\"" + "x".repeat(2_000) + "\"}"));
        records.add(effect(run + "-mismatch", "sign", "{\"n\":\"one\"}"));
        records.add(effect(run + "-good", "sign", "{\"n\":1}"));
        records.add(("{\"effect_id\":\"" + run + "-stranger:0.1\",\"route\":\"sign\",\"payload\":{\"n\":2}}")
                .getBytes(StandardCharsets.UTF_8));
        produce(records);

        assertThat(results(5))
                .isEqualTo(Map.of(
                        run + "-nowhere", Result.MALFORMED,
                        run + "-large", Result.FAILED,
                        run + "-mismatch", Result.FAILED,
                        run + "-good", Result.SUCCEEDED,
                        run + "-stranger", Result.SUCCEEDED));
        assertThat(receiver.calls().subList(before, receiver.calls().size()))
                .extracting(call -> call.header("Authorization"))
                .containsExactly("Bearer s3cret", "Bearer s3cret");
    }

    private void produce(Iterable<byte[]> values) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.address()), new ByteArraySerializer(), new ByteArraySerializer())) {
            values.forEach(value -> producer.send(new ProducerRecord<>(effects, value)));
        }
    }

    private Map<String, Result> results(int expected) {
        Map<String, Result> results = new HashMap<>();
        await().atMost(BOUND).until(() -> {
            for (byte[] value : values(outcomes)) {
                ObjectNode outcome = RecordJson.read(value);
                results.put(
                        outcome.path("request_id").asText(),
                        Result.valueOf(outcome.path("result").asText()));
            }
            return results.size() >= expected;
        });
        return results;
    }

    private List<byte[]> values(String topic) {
        List<byte[]> values = new ArrayList<>();
        try (CommittedReader reader = new CommittedReader(
                OnceConfig.of(Map.of("bootstrap.servers", broker.address())).reader())) {
            reader.readAll(reader.partitions(topic), record -> values.add(record.value()));
        }
        return values;
    }

    private long committed(String group) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            var offset = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(effects, 0));
            return offset == null ? 0 : offset.offset();
        }
    }

    private static byte[] effect(String requestId, String route, String payload) {
        return Codecs.EFFECT.encode(
                Effects.of(Effects.of(requestId, 1, route, 1).id(), route, 1, payload));
    }

    private static Map<String, String> configProvider() {
        return Map.of(
                "config.providers", "file",
                "config.providers.file.class", "org.apache.kafka.common.config.provider.FileConfigProvider",
                "config.providers.file.param.allowed.paths",
                        dir.toAbsolutePath().toString());
    }

    private Map<String, String> config(String run) {
        String secrets = "${file:" + dir.toAbsolutePath().resolve("secrets.properties") + ":";
        return Map.ofEntries(
                Map.entry("connector.class", "io.hellogpt.once.connect.EffectSinkConnector"),
                Map.entry("tasks.max", "1"),
                Map.entry("topics", effects),
                Map.entry("consumer.override.isolation.level", "read_committed"),
                Map.entry("once.outcomes.bootstrap.servers", broker.address()),
                Map.entry("once.outcomes.topic", outcomes),
                Map.entry("once.ledger.jdbc.url", database.address()),
                Map.entry("once.ledger.jdbc.user", EmbeddedDatabase.USER),
                Map.entry("once.ledger.jdbc.password", secrets + "password}"),
                Map.entry("once.routes", "sign"),
                Map.entry("once.route.sign.class", "KEYED"),
                Map.entry("once.route.sign.url", receiver.url() + "/" + run + "/{effect_id}"),
                Map.entry("once.route.sign.private.addresses", "true"),
                Map.entry("once.route.sign.key.window.ms", "86400000"),
                Map.entry("once.route.sign.request.max.bytes", "1000"),
                Map.entry("once.route.sign.auth.type", "bearer"),
                Map.entry("once.route.sign.auth.token", secrets + "token}"),
                Map.entry(
                        "once.route.sign.payload.schema",
                        "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}"));
    }

    private static String version(ConnectRest rest) {
        for (JsonNode plugin : rest.plugins()) {
            if (plugin.path("class").asText().endsWith("EffectSinkConnector")) {
                return plugin.path("version").asText();
            }
        }
        return "not found";
    }

    /** As the archive's folder has it. */
    private static String archiveVersion() throws IOException {
        try (var jars = Files.walk(EffectConnector.plugins())) {
            return jars.map(path -> path.getFileName().toString())
                    .filter(name -> name.matches("hellogpt-once-.*-connect\\.jar"))
                    .map(name -> name.replaceAll("hellogpt-once-(.*)-connect\\.jar", "$1"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
