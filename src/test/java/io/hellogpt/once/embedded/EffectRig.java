package io.hellogpt.once.embedded;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.connect.Databases;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.connect.mail.ScriptedSmtp;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.TopicAdmin;
import io.hellogpt.once.ops.TopicCatalogue;
import io.hellogpt.once.schema.Codecs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A real broker, a real worker with the connector from its archive, and a real PostgreSQL, each in a child process that can be
 * killed. Effects are written as the application writes them, in transactions; the receivers are in this process, so that a
 * test holds their answers back for as long as it wants.
 */
final class EffectRig implements AutoCloseable {
    static final Duration BOUND = Duration.ofMinutes(2);
    static final String KEYED = "keyed";
    static final String PROBED = "probed";
    static final String OPAQUE = "opaque";
    static final String BILLING = "billing";
    static final String MAIL = "mail";

    final Receiver receiver;
    final ScriptedSmtp mails;
    final EmbeddedBroker broker;
    final EmbeddedDatabase database;
    final EmbeddedConnectWorker worker;

    private final Path dir;
    private final OnceConfig client;
    private final Duration drain;

    EffectRig(Path dir) throws Exception {
        this(dir, Duration.ofSeconds(1));
    }

    /** @param drain how long a task that stops waits for its calls */
    EffectRig(Path dir, Duration drain) throws Exception {
        this.dir = dir;
        this.drain = drain;
        receiver = new Receiver();
        // It takes each mail in and never says so.
        mails = new ScriptedSmtp(Map.of(ScriptedSmtp.TEXT, ScriptedSmtp.HANG));
        broker = EmbeddedBroker.create(dir);
        database = EmbeddedDatabase.create(dir);
        Stack.all(broker::start, database::start);
        client = OnceConfig.of(Map.of("bootstrap.servers", broker.address()));
        try (TopicAdmin topics = new TopicAdmin(client.admin(), TopicCatalogue.standard())) {
            topics.create(1, 1);
        }
        worker = EmbeddedConnectWorker.create(
                dir,
                EmbeddedConnectWorker.Member.ALONE,
                broker.address(),
                EffectConnector.plugins(),
                Map.of("task.shutdown.graceful.timeout.ms", "5000"));
        worker.start();
        worker.run(EffectConnector.NAME, connector());
        awaitLedger("effect", 0);
    }

    /** What the worker has logged. */
    String workerLog() {
        try {
            return Files.readString(dir.resolve("logs").resolve("worker.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A second worker of the same cluster, to be started and closed by the test. */
    EmbeddedConnectWorker anotherWorker() {
        return EmbeddedConnectWorker.create(dir.resolve("second"), broker.address(), EffectConnector.plugins());
    }

    /** Which of two workers runs the connector's task, once they have settled who does. */
    EmbeddedConnectWorker holderOfTheTask(EmbeddedConnectWorker second) {
        String[] holder = {""};
        await().atMost(BOUND)
                .pollInterval(Duration.ofMillis(500))
                .during(Duration.ofSeconds(6))
                .ignoreExceptions()
                .until(() -> {
                    JsonNode task = second.rest()
                            .status(EffectConnector.NAME)
                            .orElseThrow()
                            .path("tasks")
                            .path(0);
                    String before = holder[0];
                    holder[0] = task.path("worker_id").asText();
                    return task.path("state").asText().equals("RUNNING") && holder[0].equals(before);
                });
        return second.address().endsWith(holder[0]) ? second : worker;
    }

    private Map<String, String> connector() {
        Map<String, String> config = new HashMap<>(Map.ofEntries(
                Map.entry("connector.class", "io.hellogpt.once.connect.EffectSinkConnector"),
                Map.entry("tasks.max", "1"),
                Map.entry("topics", "effects"),
                Map.entry("consumer.override.isolation.level", "read_committed"),
                Map.entry("once.outcomes.bootstrap.servers", broker.address()),
                Map.entry("once.outcomes.ack.timeout.ms", "3000"),
                Map.entry("once.ledger.jdbc.url", database.address()),
                Map.entry("once.ledger.jdbc.user", EmbeddedDatabase.USER),
                Map.entry("once.drain.timeout.ms", Long.toString(drain.toMillis())),
                Map.entry("once.routes", String.join(",", KEYED, PROBED, OPAQUE, BILLING, MAIL)),
                Map.entry("once.route.keyed.class", "KEYED"),
                Map.entry("once.route.keyed.key.window.ms", "3600000"),
                Map.entry("once.route.probed.class", "PROBEABLE"),
                Map.entry("once.route.probed.probe.url", receiver.url() + "/known/{effect_id}"),
                Map.entry("once.route.probed.probe.settle.ms", "0"),
                Map.entry("once.route.opaque.class", "OPAQUE"),
                Map.entry("once.route.billing.class", "LOCAL"),
                Map.entry("once.route.billing.type", "billing")));
        for (String route : List.of(KEYED, PROBED, OPAQUE)) {
            config.put("once.route." + route + ".url", receiver.url() + "/" + route);
            config.put("once.route." + route + ".timeout.ms", "60000");
            config.put("once.route." + route + ".private.addresses", "true");
        }
        config.putAll(Map.of(
                "once.route.mail.class", "OPAQUE",
                "once.route.mail.type", "mail",
                "once.route.mail.mail.host", "localhost",
                "once.route.mail.mail.port", Integer.toString(mails.port()),
                "once.route.mail.mail.security", "none",
                "once.route.mail.mail.from", "once@shop.example",
                "once.route.mail.mail.to", "desk@shop.example",
                "once.route.mail.timeout.ms", "60000",
                "once.route.mail.private.addresses", "true"));
        return config;
    }

    /** Writes effects in one transaction, and commits or aborts it. */
    void write(boolean commit, Effect... effects) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", broker.address(), "transactional.id", "test-" + UUID.randomUUID());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            for (Effect effect : effects) {
                byte[] key = effect.id().requestId().value().getBytes(StandardCharsets.UTF_8);
                producer.send(new ProducerRecord<>("effects", key, Codecs.EFFECT.encode(effect)));
            }
            producer.flush();
            if (commit) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    void write(Effect... effects) {
        write(true, effects);
    }

    /** What the receivers were asked about one effect, by their own log. */
    List<Receiver.Call> calls(Effect effect) {
        String id = effect.id().toString();
        return receiver.calls().stream()
                .filter(call -> call.method().equals("GET")
                        ? call.path().contains(id.replace(":", "%3A"))
                                || call.path().contains(id)
                        : id.equals(call.header("X-Effect-Id")))
                .toList();
    }

    void awaitCalls(Effect effect, int calls) {
        await().atMost(BOUND).until(() -> calls(effect).size() == calls);
    }

    /** Every outcome of one effect in the topic, in its order. */
    List<EffectOutcome> outcomes(Effect effect) {
        List<EffectOutcome> outcomes = new ArrayList<>();
        try (CommittedReader reader = new CommittedReader(client.reader())) {
            reader.readAll(reader.partitions("effect-outcomes"), record -> {
                EffectOutcome outcome = Codecs.EFFECT_OUTCOME.decode(record.value());
                if (outcome.effectId().equals(effect.id())) {
                    outcomes.add(outcome);
                }
            });
        }
        return outcomes;
    }

    List<Result> results(Effect effect) {
        return outcomes(effect).stream().map(EffectOutcome::result).toList();
    }

    void awaitResult(Effect effect, Result result) {
        await().atMost(BOUND)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> results(effect).contains(result));
    }

    long ledger(String from) {
        return Databases.number(database.address(), "SELECT count(*) FROM once_ledger." + from);
    }

    void awaitLedger(String from, long count) {
        await().atMost(BOUND).ignoreExceptions().until(() -> ledger(from) == count);
    }

    /** Instead of waiting for it: every lease runs out. */
    void expireLeases() {
        Databases.execute(
                database.address(), "UPDATE once_ledger.effect SET lease_until = now() WHERE status = 'STARTED'");
    }

    void restartWorker() {
        worker.start();
        worker.awaitRunning(EffectConnector.NAME);
    }

    /** How far the connector's group has committed. */
    long committed() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", broker.address()))) {
            var offset = admin.listConsumerGroupOffsets("connect-" + EffectConnector.NAME)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition("effects", 0));
            return offset == null ? 0 : offset.offset();
        }
    }

    long end() {
        try (CommittedReader reader = new CommittedReader(client.reader())) {
            List<TopicPartition> partitions = reader.partitions("effects");
            long[] last = {0};
            reader.readAll(partitions, record -> last[0] = record.offset() + 1);
            return last[0];
        }
    }

    @Override
    public void close() throws IOException {
        mails.close();
        worker.close();
        database.close();
        broker.close();
        receiver.close();
    }
}
