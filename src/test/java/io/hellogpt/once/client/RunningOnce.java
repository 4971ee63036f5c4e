package io.hellogpt.once.client;

import io.hellogpt.once.embedded.EmbeddedBroker;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.OnceRunner;
import io.hellogpt.once.ops.TopicAdmin;
import io.hellogpt.once.ops.TopicCatalogue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A broker of its own and one instance on it, with the model inside the process and no billing, so without a connector. */
final class RunningOnce implements AutoCloseable {
    private final EmbeddedBroker broker;
    private final OnceConfig config;
    private final OnceRunner runner;

    private RunningOnce(EmbeddedBroker broker, OnceConfig config, OnceRunner runner) {
        this.broker = broker;
        this.config = config;
        this.runner = runner;
    }

    static RunningOnce start(Path directory, int partitions) {
        EmbeddedBroker broker = EmbeddedBroker.create(directory);
        try {
            broker.start();
            OnceConfig config = OnceConfig.of(Map.of(
                    "bootstrap.servers", broker.address(),
                    "model.client", "simulated",
                    "billing.enabled", "false",
                    "http.port", "0",
                    "state.dir", directory.resolve("state").toString()));
            try (TopicAdmin topics = new TopicAdmin(config.admin(), TopicCatalogue.standard())) {
                topics.create(partitions, 1);
            }
            return new RunningOnce(broker, config, OnceRunner.start(config));
        } catch (RuntimeException e) {
            broker.stop();
            throw e;
        }
    }

    OnceConfig config() {
        return config;
    }

    String address() {
        return broker.address();
    }

    /** Everything a topic holds now, committed records only, each partition in its order. */
    List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            reader.readAll(reader.partitions(topic), records::add);
        }
        return records;
    }

    @Override
    public void close() {
        runner.close();
        broker.stop();
    }
}
