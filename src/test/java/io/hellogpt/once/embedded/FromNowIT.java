package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.ops.OnceConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FromNowIT {
    private EmbeddedBroker broker;

    @BeforeAll
    void start(@TempDir Path directory) {
        broker = EmbeddedBroker.create(directory);
        broker.start();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @Test
    void aTopicTheBrokerNeverHearsOfIsAnErrorAndNotSilence() {
        assertThatThrownBy(() -> FromNow.open(client(), List.of("nowhere"), Duration.ofMillis(200)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void aTopicTheBrokerHearsOfLaterIsWaitedForAndReadFromThenOn() throws Exception {
        CompletableFuture<KafkaConsumer<byte[], byte[]>> opening =
                CompletableFuture.supplyAsync(() -> FromNow.open(client(), List.of("later"), Duration.ofSeconds(60)));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            admin.createTopics(List.of(new NewTopic("later", 3, (short) 1)))
                    .all()
                    .get();
        }

        try (KafkaConsumer<byte[], byte[]> consumer = opening.get()) {
            assertThat(consumer.assignment()).hasSize(3);
            produce("later", "a");

            List<String> read = new ArrayList<>();
            while (read.isEmpty()) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
                    read.add(new String(each.value(), StandardCharsets.UTF_8));
                }
            }
            assertThat(read).containsExactly("a");
        }
    }

    private void produce(String topic, String value) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", broker.address(), "acks", "all");
        try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, value.getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
    }

    private Properties client() {
        return OnceConfig.of(Map.of("bootstrap.servers", broker.address())).reader();
    }
}
