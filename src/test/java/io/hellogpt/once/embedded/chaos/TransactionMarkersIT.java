package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.embedded.ClusterBroker;
import io.hellogpt.once.embedded.KraftCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What exactly-once stands on: a transaction that ends while one of its partitions has no leader ends there too, once there is one.
 * Brokers that took such a partition for a deleted one left it out, and what stood there shared the fate of the producer's next
 * transaction: a record whose transaction had been aborted was read as committed.
 */
class TransactionMarkersIT {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final String PRODUCER = "writer";
    private static final TopicPartition PARTITION = new TopicPartition("one-copy", 0);

    @TempDir
    Path dir;

    private final Network network = new Network();
    private KraftCluster cluster;

    @BeforeEach
    void start() {
        cluster = KraftCluster.create(
                dir,
                3,
                List.of(),
                (client, broker, port) -> port,
                (one, other, at, to) -> network.join(broker(one), broker(other), at, to));
        Together.run(cluster.brokers().stream()
                .<Runnable>map(broker -> broker::start)
                .toList());
    }

    @AfterEach
    void end() {
        cluster.brokers().forEach(ClusterBroker::kill);
        network.close();
    }

    @Test
    void whatWasCommittedAndWhatWasAbortedIsSoInAPartitionThatHadNoLeader() throws Exception {
        try (Admin admin = Admin.create(client());
                KafkaProducer<byte[], byte[]> producer = producer()) {
            producer.initTransactions();
            ClusterBroker lost = otherThanTheCoordinator(admin);

            write(producer, "committed");
            lost.kill();
            awaitLeader(admin, false);
            producer.commitTransaction();
            lost.start();
            awaitLeader(admin, true);
            write(producer, "aborted");
            lost.kill();
            awaitLeader(admin, false);
            producer.abortTransaction();
            lost.start();
            awaitLeader(admin, true);
            write(producer, "last");
            producer.commitTransaction();
        }
        assertThat(readCommitted()).containsExactly("committed", "last");
    }

    private static Network.Party broker(int id) {
        return new Network.Party(Role.BROKER, "broker-" + id);
    }

    /** The only one that has the partition, which this makes. */
    private ClusterBroker otherThanTheCoordinator(Admin admin) throws Exception {
        int coordinator = admin.describeTransactions(List.of(PRODUCER))
                .description(PRODUCER)
                .get()
                .coordinatorId();
        ClusterBroker other = cluster.brokers().stream()
                .filter(broker -> broker.id() != coordinator)
                .findFirst()
                .orElseThrow();
        admin.createTopics(List.of(new NewTopic(PARTITION.topic(), Map.of(0, List.of(other.id())))))
                .all()
                .get();
        return other;
    }

    private static void write(KafkaProducer<byte[], byte[]> producer, String value) {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(
                PARTITION.topic(), PARTITION.partition(), null, value.getBytes(StandardCharsets.UTF_8)));
        producer.flush();
    }

    private static void awaitLeader(Admin admin, boolean there) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(admin.describeTopics(List.of(PARTITION.topic()))
                                        .allTopicNames()
                                        .get()
                                        .get(PARTITION.topic())
                                        .partitions()
                                        .getFirst()
                                        .leader()
                                != null)
                        .isEqualTo(there));
    }

    private List<String> readCommitted() {
        List<String> values = new ArrayList<>();
        Map<String, Object> config = client();
        config.put("isolation.level", "read_committed");
        config.put("auto.offset.reset", "earliest");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(PARTITION));
            await().atMost(SOON).until(() -> {
                consumer.poll(Duration.ofMillis(200))
                        .forEach(record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
                return values.contains("last");
            });
        }
        return values;
    }

    private KafkaProducer<byte[], byte[]> producer() {
        Map<String, Object> config = client();
        config.put("transactional.id", PRODUCER);
        config.put("transaction.timeout.ms", 60_000);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Map<String, Object> client() {
        return new HashMap<>(Map.of("bootstrap.servers", cluster.bootstrap(KraftCluster.OWNER)));
    }
}
