package io.hellogpt.once.topology;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Keyed records go where {@link Router} looks for them, whatever partitioner the producer is configured with; a record without a
 * key goes anywhere.
 */
final class ByRequestId implements StreamPartitioner<byte[], byte[]> {
    @Override
    @SuppressWarnings("removal")
    public Optional<Set<Integer>> partitions(String topic, byte[] key, byte[] value, int numPartitions) {
        return key == null ? Optional.empty() : Optional.of(Set.of(Router.partitionOf(key, numPartitions)));
    }
}
