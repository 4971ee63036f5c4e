package io.hellogpt.once.replay.capture;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Reads ranges of partitions, committed records only. Not safe for use by several threads. */
final class TopicsReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaConsumer<byte[], byte[]> uncommitted;

    TopicsReader(Properties client) {
        this.consumer = new KafkaConsumer<>(client);
        Properties other = new Properties();
        other.putAll(client);
        other.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        this.uncommitted = new KafkaConsumer<>(other);
    }

    List<TopicPartition> partitions(String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
    }

    Map<TopicPartition, Long> beginnings(Collection<TopicPartition> partitions) {
        return consumer.beginningOffsets(partitions);
    }

    /** Behind everything that was written, committed or not yet. */
    Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
        return uncommitted.endOffsets(partitions);
    }

    /** The first record of that time or later; {@code otherwise} where there is none. */
    Map<TopicPartition, Long> at(
            Instant time, Collection<TopicPartition> partitions, Map<TopicPartition, Long> otherwise) {
        Map<TopicPartition, OffsetAndTimestamp> found = uncommitted.offsetsForTimes(
                partitions.stream().collect(Collectors.toMap(each -> each, each -> time.toEpochMilli())));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        partitions.forEach(each -> offsets.put(
                each,
                Optional.ofNullable(found.get(each))
                        .map(OffsetAndTimestamp::offset)
                        .orElse(otherwise.get(each))));
        return offsets;
    }

    /** What a range's records go to. */
    interface Sink {
        void accept(CapturedRecord record) throws IOException;

        /** Between two polls. */
        void progressed(TopicPartition partition, long position) throws IOException;
    }

    /**
     * Reads from {@code first} to before {@code end}, in which all transactions come to an end.
     *
     * @throws TimeoutException when nothing goes on for one and a half minutes
     */
    void read(Map<TopicPartition, Long> first, Map<TopicPartition, Long> end, Sink sink) throws IOException {
        Map<TopicPartition, Long> open = new HashMap<>(end);
        consumer.assign(open.keySet());
        first.forEach((partition, offset) -> {
            if (open.containsKey(partition)) {
                consumer.seek(partition, offset);
            }
        });
        long lastProgress = System.nanoTime();
        while (true) {
            for (TopicPartition partition : List.copyOf(open.keySet())) {
                long position = consumer.position(partition);
                sink.progressed(partition, Math.min(position, open.get(partition)));
                if (position >= open.get(partition)) {
                    open.remove(partition);
                    consumer.pause(List.of(partition));
                    lastProgress = System.nanoTime();
                }
            }
            if (open.isEmpty()) {
                return;
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                Long limit = open.get(new TopicPartition(record.topic(), record.partition()));
                if (limit != null && record.offset() < limit) {
                    sink.accept(CapturedRecord.of(record));
                    lastProgress = System.nanoTime();
                }
            }
            if (System.nanoTime() - lastProgress > PATIENCE.toNanos()) {
                throw new TimeoutException(
                        "nothing could be read from " + open.keySet() + " for " + PATIENCE.toSeconds()
                                + " s; is a transaction left open, or the leader down? Run it again to go on");
            }
        }
    }

    @Override
    public void close() {
        consumer.close();
        uncommitted.close();
    }
}
