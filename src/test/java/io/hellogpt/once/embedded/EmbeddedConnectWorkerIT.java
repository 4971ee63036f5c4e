package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.TopicAdmin;
import io.hellogpt.once.ops.TopicCatalogue;
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

    @Test
    void runsTheConnectorFromItsArchiveAndAgainAfterAKill() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.create(dir);
                EmbeddedDatabase database = EmbeddedDatabase.create(dir)) {
            Stack.all(broker::start, database::start);
            OnceConfig client = OnceConfig.of(Map.of("bootstrap.servers", broker.address()));
            try (TopicAdmin topics = new TopicAdmin(client.admin(), TopicCatalogue.standard())) {
                topics.create(2, 1);
            }
            Map<String, String> config =
                    EffectConnector.config(broker.address(), database.address(), "http://127.0.0.1:1");
            try (EmbeddedConnectWorker worker =
                    EmbeddedConnectWorker.create(dir, broker.address(), EffectConnector.plugins())) {
                worker.start();
                worker.run(EffectConnector.NAME, config);

                worker.kill();
                worker.start();
                worker.awaitRunning(EffectConnector.NAME);

                assertThat(worker.rest().plugins().toString()).contains("EffectSinkConnector");
            }
        }
    }
}
