package io.hellogpt.once.replay;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.Stores;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;

/** One task: the topology in a driver of its own, one record or one look at the timers at a time. For one thread. */
public final class TaskDriver implements AutoCloseable {
    private static final String APPLICATION = "once-replay";
    private static final List<String> WRITTEN = writtenTopics();

    private final TopologyTestDriver driver;

    private final Map<String, TestInputTopic<byte[], byte[]>> inputs = new HashMap<>();
    private final Map<String, TestOutputTopic<byte[], byte[]>> outputs = new HashMap<>();
    private final Map<String, TestOutputTopic<byte[], byte[]>> changes = new HashMap<>();
    private final Map<String, Map<Bytes, byte[]>> changelogs = new HashMap<>();

    /** @param start what the driver's clock shows at first */
    public TaskDriver(Topology topology, Path stateDir, Instant start) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:9092");
        config.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
        config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        driver = new TopologyTestDriver(topology, config, start);
        Topics.INPUTS.forEach(topic -> inputs.put(
                topic, driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())));
        WRITTEN.forEach(topic -> outputs.put(
                topic, driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())));
        Stores.ALL.forEach(store -> {
            changelogs.put(store, new HashMap<>());
            changes.put(
                    store,
                    driver.createOutputTopic(
                            APPLICATION + "-" + store + "-changelog",
                            new ByteArrayDeserializer(),
                            new ByteArrayDeserializer()));
        });
    }

    private static List<String> writtenTopics() {
        List<String> topics = new ArrayList<>(Topics.OUTPUTS);
        topics.add(Topics.REQUESTS_REROUTED);
        topics.add(Topics.TASK_STEPS);
        return List.copyOf(topics);
    }

    /** Reads a record, and gives everything that was written because of it. */
    public List<Output> read(CapturedRecord record) {
        inputs.get(record.topic())
                .pipeInput(new TestRecord<>(
                        record.key(),
                        record.value(),
                        record.kafkaHeaders(),
                        Instant.ofEpochMilli(Math.max(0, record.timestamp()))));
        return written();
    }

    /** Lets the driver's clock go on, punctuates what is due, and gives everything that was written because of it. */
    public List<Output> advance(Duration time) {
        driver.advanceWallClockTime(time);
        return written();
    }

    private List<Output> written() {
        List<Output> written = new ArrayList<>();
        for (String topic : WRITTEN) {
            TestOutputTopic<byte[], byte[]> output = outputs.get(topic);
            while (!output.isEmpty()) {
                written.add(Output.of(topic, output.readRecord()));
            }
        }
        drainChangelogs();
        return written;
    }

    /** Keeps what a changelog topic keeps, the last value of each key; the driver would keep everything. */
    private void drainChangelogs() {
        changes.forEach((store, changed) -> {
            Map<Bytes, byte[]> changelog = changelogs.get(store);
            while (!changed.isEmpty()) {
                TestRecord<byte[], byte[]> record = changed.readRecord();
                if (record.value() == null) {
                    changelog.remove(Bytes.wrap(record.key()));
                } else {
                    changelog.put(Bytes.wrap(record.key()), record.value());
                }
            }
        });
    }

    /** The state of a request, as the store holds it now. */
    public Optional<RequestState> state(RequestId id) {
        KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(Stores.REQUESTS_BY_ID);
        return Optional.ofNullable(store.get(Bytes.wrap(id.value().getBytes(StandardCharsets.UTF_8))))
                .map(Codecs.STATE::decode);
    }

    /** Fills the stores of this new task from the changelogs of another, as Streams restores a task. */
    public void restoreFrom(TaskDriver other) {
        other.changelogs.forEach((name, changelog) -> {
            KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(name);
            changelog.forEach(store::put);
            changelogs.get(name).putAll(changelog);
        });
    }

    @Override
    public void close() {
        driver.close();
    }
}
