package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.embedded.EmbeddedBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams on a real broker, stopped in order: what its stores have kept when it starts again on the same disk. */
class FencedStoresIT {
    private static final Duration SEEN = Duration.ofSeconds(60);
    private static final String INPUT = "input";
    private static final String STORE = "kept";
    /** Nothing is committed but at the stop. */
    private static final String NEVER_MS = "600000";

    private final LostTransactions transactions = new LostTransactions();
    private EmbeddedBroker broker;
    private Path state;

    @BeforeEach
    void start(@TempDir Path dir) throws Exception {
        state = dir.resolve("state");
        broker = EmbeddedBroker.create(dir.resolve("broker"));
        broker.start();
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(INPUT, 1, (short) 1))).all().get();
        }
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void whatIsCommittedAtTheStop() throws Exception {
        MeasuredStreams streams = keeping("a");
        streams.close();

        assertThat(kept()).containsExactly("a");
    }

    @Test
    void nothingOfATransactionThatCannotBeCommittedAtTheStop() throws Exception {
        MeasuredStreams streams = keeping("a");
        fence();
        streams.close();

        assertThat(kept()).isEmpty();
    }

    /** Has put a record into its store and committed nothing yet. */
    private MeasuredStreams keeping(String key) throws Exception {
        CountDownLatch put = new CountDownLatch(1);
        MeasuredStreams streams = streams(() -> new Processor<byte[], byte[], Void, Void>() {
            private KeyValueStore<Bytes, byte[]> store;

            @Override
            public void init(ProcessorContext<Void, Void> context) {
                store = context.getStateStore(STORE);
            }

            @Override
            public void process(Record<byte[], byte[]> record) {
                store.put(Bytes.wrap(record.key()), record.value());
                put.countDown();
            }
        });
        streams.start();
        Map<String, Object> config = Map.of("bootstrap.servers", broker.address());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(INPUT, bytes, bytes)).get();
        }
        assertThat(put.await(SEEN.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return streams;
    }

    /** What is in the store when the task is restored, before it reads anything. */
    private List<String> kept() throws Exception {
        List<String> keys = new ArrayList<>();
        CountDownLatch restored = new CountDownLatch(1);
        MeasuredStreams streams = streams(() -> new Processor<byte[], byte[], Void, Void>() {
            @Override
            public void init(ProcessorContext<Void, Void> context) {
                KeyValueStore<Bytes, byte[]> store = context.getStateStore(STORE);
                try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
                    all.forEachRemaining(entry -> keys.add(new String(entry.key.get(), StandardCharsets.UTF_8)));
                }
                restored.countDown();
            }

            @Override
            public void process(Record<byte[], byte[]> record) {
                // What was not committed is read again, and changes nothing here.
            }
        });
        try (streams) {
            streams.start();
            assertThat(restored.await(SEEN.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        return keys;
    }

    private MeasuredStreams streams(ProcessorSupplier<byte[], byte[], Void, Void> processors) {
        Topology topology = new Topology()
                .addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), INPUT)
                .addProcessor("keep", processors, "source")
                .addStateStore(
                        Stores.keyValueStoreBuilder(
                                        new FencedStores(transactions).apply(STORE), Serdes.Bytes(), Serdes.ByteArray())
                                .withLoggingEnabled(Map.of()),
                        "keep");
        Properties properties = new Properties();
        properties.putAll(Map.of(
                StreamsConfig.APPLICATION_ID_CONFIG,
                "fenced",
                StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.address(),
                StreamsConfig.STATE_DIR_CONFIG,
                state.toString(),
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                StreamsConfig.EXACTLY_ONCE_V2,
                StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                NEVER_MS,
                "enable.transactional.statestores",
                "true",
                "producer.transaction.timeout.ms",
                NEVER_MS,
                "consumer.session.timeout.ms",
                "6000",
                "consumer.auto.offset.reset",
                "earliest"));
        return new MeasuredStreams(topology, properties, new FencedClients(transactions));
    }

    /** As a fault of the brokers, or whoever takes it for dead, does with its producer. */
    private void fence() throws Exception {
        try (Admin admin = admin()) {
            List<String> ids = new ArrayList<>();
            await("its transaction").atMost(SEEN).until(() -> {
                ids.clear();
                ids.addAll(admin.listTransactions().all().get().stream()
                        .map(TransactionListing::transactionalId)
                        .toList());
                return !ids.isEmpty();
            });
            admin.fenceProducers(ids).all().get();
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", broker.address()));
    }
}
