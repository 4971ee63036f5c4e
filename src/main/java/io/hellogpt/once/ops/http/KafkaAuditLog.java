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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/** Reads the topics about one request, or follows {@code lifecycle-events}; each reader with a consumer of its own and no group. */
final class KafkaAuditLog implements AuditLog {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration BUDGET = Duration.ofSeconds(10);
    /** The broker's clock says when a request came, an instance's when an event did. */
    private static final Duration CLOCKS_APART = Duration.ofMinutes(5);

    private static final int READERS = 4;
    private static final List<String> TOPICS =
            List.of(Topics.LIFECYCLE_EVENTS, Topics.DUPLICATE_REQUESTS, Topics.REJECTED_REQUESTS);
    private static final Set<String> WITH_PAYLOAD = Set.of("original_key", "original_value", "committed", "failed");

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
            int number = Router.partitionOf(key, partitions);
            List<TopicPartition> logs = TOPICS.stream()
                    .map(topic -> new TopicPartition(topic, number))
                    .toList();
            consumer.assign(logs);
            seek(consumer, logs, from);
            return read(consumer, logs, key);
        } finally {
            readers.release();
        }
    }

    private static void seek(
            KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> logs, Optional<Instant> from) {
        if (from.isEmpty()) {
            consumer.seekToBeginning(logs);
            return;
        }
        long time = Math.max(0, from.get().minus(CLOCKS_APART).toEpochMilli());
        Map<TopicPartition, OffsetAndTimestamp> found =
                consumer.offsetsForTimes(logs.stream().collect(Collectors.toMap(log -> log, log -> time)));
        for (TopicPartition log : logs) {
            OffsetAndTimestamp first = found.get(log);
            if (first == null) {
                consumer.seekToEnd(List.of(log));
            } else {
                consumer.seek(log, first.offset());
            }
        }
    }

    private static Trail read(KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> logs, byte[] key) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(logs);
        long latest = System.nanoTime() + BUDGET.toNanos();
        Map<String, List<ObjectNode>> found = new HashMap<>();
        TOPICS.forEach(topic -> found.put(topic, new ArrayList<>()));
        boolean complete = false;
        while (!complete && System.nanoTime() < latest) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (Arrays.equals(record.key(), key)) {
                    found.get(record.topic()).add(shown(RecordJson.read(record.value())));
                }
            }
            complete = logs.stream().allMatch(log -> consumer.position(log) >= ends.get(log));
        }
        return new Trail(
                found.get(Topics.LIFECYCLE_EVENTS),
                found.get(Topics.DUPLICATE_REQUESTS),
                found.get(Topics.REJECTED_REQUESTS),
                complete);
    }

    /** Prompts and answers stand in none of these, but in the bytes that were put aside and in the ending a duplicate carries. */
    private static ObjectNode shown(ObjectNode record) {
        record.remove(WITH_PAYLOAD);
        return record;
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
