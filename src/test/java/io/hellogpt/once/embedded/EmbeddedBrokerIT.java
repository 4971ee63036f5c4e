package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {
    private static final TopicPartition PARTITION = new TopicPartition("letters", 0);

    @TempDir
    Path dir;

    @Test
    void keepsDataAndAddressThroughKillAndStop() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.create(dir)) {
            broker.start();
            String address = broker.address();
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
                admin.createTopics(List.of(new NewTopic(PARTITION.topic(), 1, (short) 1)))
                        .all()
                        .get();
            }
            produce(address, "a");

            broker.kill();
            assertThat(broker.isAlive()).isFalse();
            broker.start();
            produce(address, "b");
            broker.stop();
            broker.start();

            assertThat(broker.address()).isEqualTo(address);
            assertThat(consume(address, 2)).containsExactly("a", "b");
        }
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    private static void produce(String address, String value) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", address, "acks", "all");
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(PARTITION.topic(), value)).get();
        }
    }

    private static List<String> consume(String address, int count) {
        Map<String, Object> config = Map.of("bootstrap.servers", address);
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            var values = new java.util.ArrayList<String>();
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                consumer.poll(Duration.ofMillis(200)).records(PARTITION).stream()
                        .map(ConsumerRecord::value)
                        .forEach(values::add);
                return values.size() >= count;
            });
            return values;
        }
    }
}
