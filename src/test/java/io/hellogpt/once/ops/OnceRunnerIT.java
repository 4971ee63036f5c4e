package io.hellogpt.once.ops;

import io.hellogpt.once.embedded.EmbeddedBroker;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class OnceRunnerIT extends InstanceSuite {
    private EmbeddedBroker broker;

    @BeforeEach
    void start(@TempDir Path directory) {
        broker = EmbeddedBroker.create(directory.resolve("broker"));
        broker.start();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Override
    String brokers() {
        return broker.address();
    }
}
