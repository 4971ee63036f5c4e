package io.hellogpt.once.embedded;

import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.schema.RequestEncoder;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * One record as a producer sends it.
 *
 * @param foreign its partition is chosen as librdkafka does, by CRC32 of the key, and not as the Java client does
 */
record DemoRecord(String key, byte[] value, boolean foreign) {
    /** A request in either encoding, by either kind of producer. */
    static DemoRecord of(ModelRequest request, Random random) {
        byte[] value = random.nextBoolean() ? RequestEncoder.avro(request) : RequestEncoder.json(request);
        return new DemoRecord(request.id().value(), value, random.nextBoolean());
    }

    ProducerRecord<byte[], byte[]> toRecord(int partitions) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        Integer partition = foreign ? crc32(bytes, partitions) : null;
        return new ProducerRecord<>(Topics.REQUESTS, partition, bytes, value);
    }

    /** librdkafka's partitioner for records with a key, {@code consistent}. */
    private static int crc32(byte[] key, int partitions) {
        CRC32 crc = new CRC32();
        crc.update(key);
        return (int) (crc.getValue() % partitions);
    }
}
