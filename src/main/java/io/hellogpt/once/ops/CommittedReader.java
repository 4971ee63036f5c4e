package io.hellogpt.once.ops;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Reads topics without a group and sees committed records only. Not safe for use by several threads.
 *
 * <p>What an open transaction has written is not there yet, and nothing behind it in the same partition either.
 */
public final class CommittedReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final KafkaConsumer<byte[], byte[]> consumer;

    /** @param client as {@link OnceConfig#reader()} gives it */
    public CommittedReader(Properties client) {
        this.consumer = new KafkaConsumer<>(client);
    }

    /**
     * The partitions of a topic.
     *
     * @throws UnknownTopicOrPartitionException when there is no such topic
     */
    public List<TopicPartition> partitions(String topic) {
        List<TopicPartition> found = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        if (found.isEmpty()) {
            throw new UnknownTopicOrPartitionException("there is no topic " + topic);
        }
        return found;
    }

    /** The first offset still there, by partition; more than 0 when retention has deleted records. */
    public Map<TopicPartition, Long> beginnings(Collection<TopicPartition> partitions) {
        return consumer.beginningOffsets(partitions);
    }

    /**
     * Hands over every record from the beginning to the end as it is now.
     *
     * @throws TimeoutException when no record and no progress comes for half a minute
     */
    public void readAll(Collection<TopicPartition> partitions, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        readToEnd(partitions, each);
    }

    /**
     * Hands over every record with a timestamp of {@code since} or later, and what stands behind it, to the end as it is now.
     *
     * @throws TimeoutException when no record and no progress comes for half a minute
     */
    public void readSince(
            Instant since, Collection<TopicPartition> partitions, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        consumer.assign(partitions);
        firstSince(since, partitions).forEach(consumer::seek);
        readToEnd(partitions, each);
    }

    /** How many offsets there are from {@code since} on; about as many records. */
    public long countSince(Instant since, Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        return firstSince(since, partitions).entrySet().stream()
                .mapToLong(first -> ends.get(first.getKey()) - first.getValue())
                .sum();
    }

    private Map<TopicPartition, Long> firstSince(Instant since, Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> first = new HashMap<>(consumer.endOffsets(partitions));
        consumer.offsetsForTimes(partitions.stream()
                        .collect(Collectors.toMap(partition -> partition, partition -> since.toEpochMilli())))
                .forEach((partition, found) -> {
                    if (found != null) {
                        first.put(partition, found.offset());
                    }
                });
        return first;
    }

    private void readToEnd(Collection<TopicPartition> partitions, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        Map<TopicPartition, Long> open = new HashMap<>(consumer.endOffsets(partitions));
        long lastProgress = System.nanoTime();
        while (true) {
            // The position also passes over transaction markers and aborted records, which are never handed over.
            if (open.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue())) {
                lastProgress = System.nanoTime();
            }
            if (open.isEmpty()) {
                return;
            }
            int seen = 0;
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                each.accept(record);
                seen++;
            }
            lastProgress = seen > 0 ? System.nanoTime() : lastProgress;
            if (System.nanoTime() - lastProgress > PATIENCE.toNanos()) {
                throw new TimeoutException("nothing could be read from " + names(open.keySet()) + " for "
                        + PATIENCE.toSeconds() + " s; is their leader up?");
            }
        }
    }

    /**
     * Hands over records as they come.
     *
     * @param fromBeginning otherwise only what is written from now on
     * @param on asked between polls; false ends it
     */
    public void follow(
            Collection<TopicPartition> partitions,
            boolean fromBeginning,
            BooleanSupplier on,
            Consumer<ConsumerRecord<byte[], byte[]>> each) {
        consumer.assign(partitions);
        if (fromBeginning) {
            consumer.seekToBeginning(partitions);
        } else {
            consumer.seekToEnd(partitions);
            // The seek is lazy; without asking, "now" would be the time of the first poll.
            partitions.forEach(consumer::position);
        }
        while (on.getAsBoolean()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (!on.getAsBoolean()) {
                    return;
                }
                each.accept(record);
            }
        }
    }

    private static String names(Collection<TopicPartition> partitions) {
        return partitions.stream().map(TopicPartition::toString).collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        consumer.close();
    }
}
