package io.hellogpt.once.ops.http;

import io.hellogpt.once.api.RecordLog;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.topology.Router;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/** Appends with one idempotent producer, acknowledged by all in-sync replicas, to the partition the topology looks in. */
final class KafkaRecordLog implements RecordLog, AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final int partitions;

    /** @param partitions of every input topic */
    KafkaRecordLog(Properties client, int partitions) {
        this.producer = new KafkaProducer<>(client);
        this.partitions = partitions;
    }

    @Override
    public SourcePosition append(String topic, RequestId id, byte[] value, Map<String, String> headers)
            throws InterruptedException {
        byte[] key = id.value().getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, Router.partitionOf(key, partitions), key, value);
        headers.forEach((name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
        try {
            RecordMetadata written = producer.send(record).get();
            return new SourcePosition(written.topic(), written.partition(), written.offset());
        } catch (ExecutionException failed) {
            throw new NotAcknowledged("request_id=" + id + " topic=" + topic, failed.getCause());
        } catch (KafkaException failed) {
            throw new NotAcknowledged("request_id=" + id + " topic=" + topic, failed);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
