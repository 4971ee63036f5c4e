package io.hellogpt.once.docker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/** A container engine, where one answers. */
public final class Engine {
    private Engine() {}

    /** Skips the test, and prints why, where no engine answers. */
    public static void assumeItAnswers(Class<?> test) {
        boolean engine = DockerClientFactory.instance().isDockerAvailable();
        if (!engine) {
            System.out.println(test.getSimpleName() + " is skipped: no container engine answers on this machine;"
                    + " the same tests run on the embedded broker.");
        }
        assumeTrue(engine, "no container engine answers on this machine");
    }

    /** A broker of the version this build uses. */
    public static KafkaContainer kafka() throws Exception {
        return new KafkaContainer(
                DockerImageName.parse("apache/kafka:" + Pom.read().property("broker.kafka.version")));
    }
}
