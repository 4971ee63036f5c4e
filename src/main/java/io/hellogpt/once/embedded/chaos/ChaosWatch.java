package io.hellogpt.once.embedded.chaos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads along what the system says, as any consumer could, and keeps it in a {@link Desk}. */
final class ChaosWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChaosWatch.class);
    private static final List<String> FOLLOWED = List.of(
            Topics.LIFECYCLE_EVENTS,
            Topics.COMMITTED_RESULTS,
            Topics.FAILED_REQUESTS,
            Topics.DUPLICATE_REQUESTS,
            Topics.REJECTED_REQUESTS);

    private final OnceConfig config;
    private final Desk desk = new Desk(System.nanoTime());
    private final Map<TopicPartition, Long> seen = new HashMap<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile boolean on = true;

    private ChaosWatch(OnceConfig config) {
        this.config = config;
    }

    static ChaosWatch start(OnceConfig config) {
        ChaosWatch watch = new ChaosWatch(config);
        Thread.ofPlatform().daemon().name("chaos-watch").start(watch::run);
        return watch;
    }

    /** What has been read so far. */
    Desk desk() {
        return desk;
    }

    private void run() {
        while (on) {
            try (CommittedReader reader = new CommittedReader(config.reader())) {
                List<TopicPartition> partitions = FOLLOWED.stream()
                        .flatMap(topic -> reader.partitions(topic).stream())
                        .toList();
                reader.follow(partitions, true, this::goesOn, this::note);
            } catch (RuntimeException broken) {
                // Its brokers are being broken; what was read is known by its offset.
                LOG.warn("event=watch_interrupted detail=\"it starts again\"", broken);
            }
        }
        end.complete(null);
    }

    private boolean goesOn() {
        desk.tick(System.nanoTime());
        return on;
    }

    private void note(ConsumerRecord<byte[], byte[]> record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        if (seen.getOrDefault(partition, -1L) >= record.offset()) {
            return;
        }
        seen.put(partition, record.offset());
        ObjectNode json = RecordJson.read(record.value());
        long now = System.nanoTime();
        switch (record.topic()) {
            case Topics.LIFECYCLE_EVENTS -> desk.event(json, now);
            case Topics.COMMITTED_RESULTS, Topics.FAILED_REQUESTS ->
                desk.ended(json.path("request_id").asText(), now);
            default -> desk.turnedAway(now);
        }
    }

    @Override
    public void close() {
        on = false;
        end.orTimeout(Duration.ofMinutes(3).toSeconds(), TimeUnit.SECONDS).join();
    }
}
