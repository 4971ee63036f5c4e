package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.schema.RequestEncoder;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * One record, when it is due and by whom it is sent.
 *
 * @param atNanos of {@link System#nanoTime}
 */
record Sending(long atNanos, Sender sender, String key, byte[] value) {
    /** Who sends a record, and so in which partition and encoding it arrives. */
    enum Sender {
        JAVA_AVRO,
        JAVA_JSON,
        /** The partition librdkafka would choose. */
        JAVA_BY_CRC32,
        JAVA_WITHOUT_KEY,
        LIBRDKAFKA
    }

    /** @param senders to choose from */
    static Sending of(ModelRequest request, long atNanos, Sender[] senders, Random random) {
        Sender sender = senders[random.nextInt(senders.length)];
        byte[] value = sender == Sender.JAVA_AVRO || sender == Sender.JAVA_WITHOUT_KEY && random.nextBoolean()
                ? RequestEncoder.avro(request)
                : RequestEncoder.json(request);
        return new Sending(atNanos, sender, request.id().value(), value);
    }

    /** For a Java producer. */
    ProducerRecord<byte[], byte[]> toRecord(int partitions) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return switch (sender) {
            case JAVA_BY_CRC32 -> new ProducerRecord<>(Topics.REQUESTS, crc32(bytes, partitions), bytes, value);
            case JAVA_WITHOUT_KEY -> new ProducerRecord<>(Topics.REQUESTS, null, null, value);
            case JAVA_AVRO, JAVA_JSON, LIBRDKAFKA -> new ProducerRecord<>(Topics.REQUESTS, null, bytes, value);
        };
    }

    private static int crc32(byte[] key, int partitions) {
        CRC32 crc = new CRC32();
        crc.update(key);
        return (int) (crc.getValue() % partitions);
    }
}
