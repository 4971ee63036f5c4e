package io.hellogpt.once.embedded;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Consumers that read what is written to some topics from now on, in all of their partitions. */
public final class FromNow {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private FromNow() {}

    /**
     * Opens one: whatever is written once this has returned is read.
     *
     * @param client as {@link io.hellogpt.once.ops.OnceConfig#reader()} gives it
     * @param topics that are there; the broker that is asked may hear of them a little later
     * @throws IllegalStateException when the broker does not know one of them within 30 seconds
     */
    public static KafkaConsumer<byte[], byte[]> open(Properties client, List<String> topics) {
        return open(client, topics, PATIENCE);
    }

    static KafkaConsumer<byte[], byte[]> open(Properties client, List<String> topics, Duration patience) {
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        try {
            List<TopicPartition> partitions = topics.stream()
                    .flatMap(topic -> partitions(consumer, topic, patience).stream())
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            // The seek is lazy: without asking, the end would be that of the first poll.
            partitions.forEach(consumer::position);
            return consumer;
        } catch (RuntimeException failed) {
            consumer.close();
            throw failed;
        }
    }

    /** A topic the broker has not heard of yet has no partitions, and none of what comes would ever be read. */
    private static List<PartitionInfo> partitions(KafkaConsumer<?, ?> consumer, String topic, Duration patience) {
        long giveUp = System.nanoTime() + patience.toNanos();
        List<PartitionInfo> partitions = consumer.partitionsFor(topic);
        while (partitions.isEmpty()) {
            if (System.nanoTime() - giveUp >= 0) {
                throw new IllegalStateException("the broker knows no topic " + topic + " after " + patience);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            partitions = consumer.partitionsFor(topic);
        }
        return partitions;
    }
}
