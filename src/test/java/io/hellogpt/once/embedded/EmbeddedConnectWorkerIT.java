package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedConnectWorkerIT {
    @TempDir
    Path dir;

    @Test
    void comesBackAfterAKillAndHasNoneOfOurClasses() throws Exception {
        Path noPlugins = Files.createDirectory(dir.resolve("plugins"));
        try (EmbeddedBroker broker = EmbeddedBroker.create(dir)) {
            broker.start();
            try (EmbeddedConnectWorker worker = EmbeddedConnectWorker.create(dir, broker.address(), noPlugins)) {
                worker.start();
                assertThat(worker.rest().plugins().toString()).doesNotContain("io.hellogpt");
                assertThatThrownBy(() -> worker.run("none", Map.of("connector.class", "no.such.Connector")))
                        .isInstanceOf(EmbeddedException.class)
                        .hasMessageContaining("no.such.Connector");

                worker.kill();
                worker.start();

                assertThat(worker.rest().status("none")).isEmpty();
            }
        }
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }
}
