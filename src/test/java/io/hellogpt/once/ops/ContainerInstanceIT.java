package io.hellogpt.once.ops;

import io.hellogpt.once.docker.Engine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.testcontainers.kafka.KafkaContainer;

/** The suite on the broker of compose.yaml, where a container engine answers. */
@Tag("docker")
class ContainerInstanceIT extends InstanceSuite {
    private KafkaContainer kafka;

    @BeforeEach
    void start() throws Exception {
        Engine.assumeItAnswers(ContainerInstanceIT.class);
        kafka = Engine.kafka();
        kafka.start();
    }

    @AfterEach
    void stop() {
        if (kafka != null) {
            kafka.stop();
        }
    }

    @Override
    String brokers() {
        return kafka.getBootstrapServers();
    }
}
