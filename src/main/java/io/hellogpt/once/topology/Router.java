package io.hellogpt.once.topology;

import io.hellogpt.once.core.RequestId;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Utils;

/**
 * Which partition a request belongs to. Clients differ in their partitioner (librdkafka: CRC32, Java: murmur2) and in whether they
 * set a key at all, so the producer's choice is never trusted.
 */
@FunctionalInterface
public interface Router {
    /** Everything is where it belongs; for a single partition, and for replay. */
    Router IN_PLACE = (id, partition) -> true;

    boolean belongs(RequestId id, int partition);

    /** The partition of the Java client's default partitioner: murmur2 over the UTF-8 bytes of the request_id. */
    static Router murmur2(int partitions) {
        return (id, partition) -> partitionOf(id.value().getBytes(StandardCharsets.UTF_8), partitions) == partition;
    }

    /** The partition of a key among {@code partitions}. */
    static int partitionOf(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }
}
