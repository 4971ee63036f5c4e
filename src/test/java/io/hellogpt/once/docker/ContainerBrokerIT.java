package io.hellogpt.once.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.kafka.KafkaContainer;

/** The broker of compose.yaml does what the protocol rests on: a reader of committed records sees no aborted one. */
@Tag("docker")
class ContainerBrokerIT {
    @BeforeEach
    void needAnEngine() {
        Engine.assumeItAnswers(ContainerBrokerIT.class);
    }

    @Test
    void readerOfCommittedRecordsSeesNoAbortedOne() throws Exception {
        try (KafkaContainer kafka = Engine.kafka()) {
            kafka.start();
            createTopic(kafka.getBootstrapServers());

            try (KafkaProducer<byte[], byte[]> producer = producer(kafka.getBootstrapServers())) {
                producer.initTransactions();
                producer.beginTransaction();
                producer.send(effect("aborted"));
                producer.flush();
                producer.abortTransaction();
                producer.beginTransaction();
                producer.send(effect("committed"));
                producer.commitTransaction();
            }

            try (KafkaConsumer<byte[], byte[]> consumer = consumer(kafka.getBootstrapServers())) {
                assertThat(values(consumer)).containsExactly("committed");
            }
        }
    }

    private static void createTopic(String servers) throws Exception {
        try (Admin admin = Admin.create(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers))) {
            admin.createTopics(List.of(new NewTopic(Topics.EFFECTS, 1, (short) 1)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private static ProducerRecord<byte[], byte[]> effect(String value) {
        return new ProducerRecord<>(Topics.EFFECTS, value.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> values(KafkaConsumer<byte[], byte[]> consumer) {
        TopicPartition partition = new TopicPartition(Topics.EFFECTS, 0);
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        List<String> values = new ArrayList<>();
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            consumer.poll(Duration.ofMillis(500))
                    .forEach(each -> values.add(new String(each.value(), StandardCharsets.UTF_8)));
            return consumer.position(partition)
                    == consumer.endOffsets(List.of(partition)).get(partition);
        });
        return values;
    }

    private static KafkaProducer<byte[], byte[]> producer(String servers) {
        return new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        servers,
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        "container-broker-it"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static KafkaConsumer<byte[], byte[]> consumer(String servers) {
        return new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        servers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
