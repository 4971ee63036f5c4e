package io.hellogpt.once.topology;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Steps go to the partition of their task, which is their key, so that they stand in the order in which they were taken. */
final class ByTask implements StreamPartitioner<byte[], byte[]> {
    static byte[] key(int partition) {
        return Integer.toString(partition).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    @SuppressWarnings("removal")
    public Optional<Set<Integer>> partitions(String topic, byte[] key, byte[] value, int numPartitions) {
        return Optional.of(Set.of(Integer.parseInt(new String(key, StandardCharsets.US_ASCII)) % numPartitions));
    }
}
