package io.hellogpt.once.ops.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.AuditLog;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Router;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/** Reads the topic {@code lifecycle-events}, each reader with a consumer of its own and no group. */
final class KafkaAuditLog implements AuditLog {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration BUDGET = Duration.ofSeconds(10);
    /** The broker's clock says when a request came, an instance's when an event did. */
    private static final Duration CLOCKS_APART = Duration.ofMinutes(5);

    private static final int READERS = 4;

    private final Properties client;
    private final int partitions;
    private final Semaphore readers = new Semaphore(READERS);

    KafkaAuditLog(Properties client, int partitions) {
        this.client = client;
        this.partitions = partitions;
    }

    @Override
    public Trail trail(RequestId id, Optional<Instant> from) {
        readers.acquireUninterruptibly();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(client)) {
            byte[] key = id.value().getBytes(StandardCharsets.UTF_8);
            TopicPartition partition = new TopicPartition(Topics.LIFECYCLE_EVENTS, Router.partitionOf(key, partitions));
            consumer.assign(List.of(partition));
            seek(consumer, partition, from);
            return read(consumer, partition, key);
        } finally {
            readers.release();
        }
    }

    private static void seek(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, Optional<Instant> from) {
        if (from.isEmpty()) {
            consumer.seekToBeginning(List.of(partition));
            return;
        }
        long time = Math.max(0, from.get().minus(CLOCKS_APART).toEpochMilli());
        OffsetAndTimestamp found =
                consumer.offsetsForTimes(Map.of(partition, time)).get(partition);
        if (found == null) {
            consumer.seekToEnd(List.of(partition));
        } else {
            consumer.seek(partition, found.offset());
        }
    }

    private static Trail read(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, byte[] key) {
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        long latest = System.nanoTime() + BUDGET.toNanos();
        List<ObjectNode> events = new ArrayList<>();
        while (consumer.position(partition) < end) {
            if (System.nanoTime() > latest) {
                return new Trail(events, false);
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (Arrays.equals(record.key(), key)) {
                    events.add(RecordJson.read(record.value()));
                }
            }
        }
        return new Trail(events, true);
    }

    @Override
    public Tail follow(Optional<String> after) {
        Optional<long[]> positions = after.map(this::parse);
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(client);
        try {
            return new KafkaTail(consumer, partitions, positions);
        } catch (RuntimeException failed) {
            consumer.close();
            throw failed;
        }
    }

    /** One number per partition: the offset to go on from. */
    private long[] parse(String id) {
        String[] numbers = id.strip().split("\\.");
        if (numbers.length != partitions || !Arrays.stream(numbers).allMatch(number -> number.matches("\\d{1,18}"))) {
            throw new IllegalArgumentException("this is no id of an event of this stream");
        }
        return Arrays.stream(numbers).mapToLong(Long::parseLong).toArray();
    }
}
