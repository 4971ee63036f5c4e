package io.hellogpt.once.embedded;

import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Consumers that read what is written to some topics from now on, in all of their partitions. */
public final class FromNow {
    private FromNow() {}

    /**
     * Opens one: whatever is written once this has returned is read.
     *
     * @param client as {@link io.hellogpt.once.ops.OnceConfig#reader()} gives it
     * @param topics that are there
     */
    public static KafkaConsumer<byte[], byte[]> open(Properties client, List<String> topics) {
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = topics.stream()
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        // The seek is lazy: without asking, the end would be that of the first poll.
        partitions.forEach(consumer::position);
        return consumer;
    }
}
