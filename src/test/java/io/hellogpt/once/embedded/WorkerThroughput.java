package io.hellogpt.once.embedded;

import com.sun.net.httpserver.HttpServer;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.schema.Codecs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How many effects one task carries out in a second, end to end: records that wait in the topic of effects, a real worker with the
 * connector from its archive, a receiver that answers after 50 ms, a real PostgreSQL, outcomes acknowledged by a real broker;
 * from the first outcome to the last. All of it shares this machine.
 *
 * <p>Not a test: run its {@link #main}, with {@code -Donce.connect.plugin.path}. Argument: effects of each class (default 30000).
 */
public final class WorkerThroughput {
    private static final Duration ANSWER_AFTER = Duration.ofMillis(50);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
    private static final int IN_FLIGHT = 256;

    private final EmbeddedBroker broker;
    private final EmbeddedDatabase database;
    private final EmbeddedConnectWorker worker;
    private final OnceConfig client;

    private WorkerThroughput(Path dir) {
        broker = EmbeddedBroker.create(dir);
        database = EmbeddedDatabase.create(dir);
        Stack.all(broker::start, database::start);
        client = OnceConfig.of(Map.of("bootstrap.servers", broker.address()));
        worker = EmbeddedConnectWorker.create(dir, broker.address(), EffectConnector.plugins());
        worker.start();
    }

    public static void main(String[] args) throws Exception {
        int effects = args.length > 0 ? Integer.parseInt(args[0]) : 30_000;
        // By default the JDK's server closes whatever is idle beyond 200 connections, without a word: fewer than are in
        // flight here.
        System.setProperty("sun.net.httpserver.maxIdleConnections", Integer.toString(4 * IN_FLIGHT));
        WorkerThroughput rig = new WorkerThroughput(Files.createTempDirectory("throughput"));
        HttpServer receiver = receiver();
        String url = "http://localhost:" + receiver.getAddress().getPort() + "/sign";
        try {
            for (String run : new String[] {"warm-up", "measured"}) {
                rig.measure("LOCAL " + run, effects, i -> Effects.billing("b-" + run + i, "billing"), url);
                rig.measure("KEYED " + run, effects, i -> Effects.of("k-" + run + i, 1, "sign", 1), url);
            }
        } finally {
            receiver.stop(0);
            rig.worker.close();
            rig.database.close();
            rig.broker.close();
        }
        System.exit(0);
    }

    private void measure(String name, int effects, IntFunction<Effect> effect, String url) throws Exception {
        String run = name.toLowerCase().replace(' ', '-');
        TopicPartition read = new TopicPartition("effects-" + run, 0);
        TopicPartition written = new TopicPartition("outcomes-" + run, 0);
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", broker.address()))) {
            admin.createTopics(List.of(
                            new NewTopic(read.topic(), 1, (short) 1), new NewTopic(written.topic(), 1, (short) 1)))
                    .all()
                    .get();
            produce(read.topic(), effects, effect);
            worker.run(run, config(read.topic(), written.topic(), url));
            while (admin.listOffsets(Map.of(written, OffsetSpec.latest()))
                            .partitionResult(written)
                            .get()
                            .offset()
                    < effects) {
                LockSupport.parkNanos(LOOK_AGAIN.toNanos());
            }
        }
        worker.rest().delete(run);
        report(name, written);
    }

    /** By the times at which the outcomes were written; what is not SUCCEEDED is counted by itself, with its reason. */
    private void report(String name, TopicPartition written) {
        List<Long> times = new ArrayList<>();
        Map<String, Integer> others = new TreeMap<>();
        try (CommittedReader reader = new CommittedReader(client.reader())) {
            reader.readAll(List.of(written), record -> {
                EffectOutcome outcome = Codecs.EFFECT_OUTCOME.decode(record.value());
                if (outcome.result() == Result.SUCCEEDED) {
                    times.add(record.timestamp());
                } else {
                    others.merge(outcome.result() + ": " + outcome.detail(), 1, Integer::sum);
                }
            });
        }
        double seconds = (times.getLast() - times.getFirst()) / 1e3;
        System.out.printf(
                "%s succeeded=%d seconds=%.2f per_second=%.0f others=%s%n",
                name, times.size(), seconds, times.size() / seconds, others);
    }

    private void produce(String topic, int effects, IntFunction<Effect> effect) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.address()), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < effects; i++) {
                Effect each = effect.apply(i);
                byte[] key = each.id().requestId().value().getBytes(StandardCharsets.UTF_8);
                producer.send(new ProducerRecord<>(topic, key, Codecs.EFFECT.encode(each)));
            }
        }
    }

    private Map<String, String> config(String effects, String outcomes, String url) {
        Map<String, String> config = new HashMap<>(EffectConnector.config(broker.address(), database.address(), ""));
        config.keySet().removeIf(key -> key.startsWith("once.route.notify."));
        config.putAll(Map.of(
                "tasks.max",
                "1",
                "topics",
                effects,
                "once.outcomes.topic",
                outcomes,
                "once.routes",
                "sign,billing",
                "once.route.sign.url",
                url,
                "once.route.sign.max.in.flight",
                Integer.toString(IN_FLIGHT)));
        return config;
    }

    private static HttpServer receiver() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4_096);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            LockSupport.parkNanos(ANSWER_AFTER.toNanos());
            exchange.sendResponseHeaders(201, -1);
            exchange.close();
        });
        server.start();
        return server;
    }
}
