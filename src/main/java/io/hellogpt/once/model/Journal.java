package io.hellogpt.once.model;

import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.schema.Codecs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The journal on Kafka: an idempotent producer outside every transaction, so that an answer is durable before the task that
 * asked for it has committed, and survives that task.
 *
 * <p>Idempotence gives order within a partition, which the recovery barrier depends on.
 */
public final class Journal implements JournalWriter, AutoCloseable {
    /** Longer than a broker's restart: within it the producer itself keeps order and drops repetitions. */
    private static final Duration DELIVERY_TIMEOUT = Duration.ofMinutes(10);

    private static final Duration MAX_BLOCK = Duration.ofSeconds(5);
    private static final int RECORD_OVERHEAD = 64 * 1024;

    private final JournalProducer producer;
    private final String topic;

    /** Writes to {@code topic} with producers this object opens and closes. */
    Journal(Supplier<Producer<byte[], byte[]>> open, String topic) {
        this.producer = new JournalProducer(open);
        this.topic = topic;
    }

    /**
     * Opens the journal.
     *
     * @param clientConfig how to reach the cluster: {@code bootstrap.servers}, security; what the journal depends on (idempotence,
     *     acks, the absence of a transaction) is set here and cannot be overridden
     * @param topic usually {@link io.hellogpt.once.topology.Topics#MODEL_RESPONSES}
     * @param snapshotMaxBytes largest body recorded, in bytes
     */
    public static Journal open(Map<String, ?> clientConfig, String topic, int snapshotMaxBytes) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.putIfAbsent(ProducerConfig.CLIENT_ID_CONFIG, "once-journal");
        config.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) DELIVERY_TIMEOUT.toMillis());
        config.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK.toMillis());
        config.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Math.addExact(snapshotMaxBytes, RECORD_OVERHEAD));
        // An answer that waits for company is an answer the caller waits for.
        config.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
        return new Journal(
                () -> new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()), topic);
    }

    @Override
    public CompletionStage<Long> write(int partition, JournalRecord record) {
        CompletableFuture<Long> offset = new CompletableFuture<>();
        try {
            send(new ProducerRecord<>(topic, partition, key(record), encoded(record), headers(record)), offset);
        } catch (KafkaException | IllegalStateException notSent) {
            offset.completeExceptionally(notSent);
        }
        return offset;
    }

    private void send(ProducerRecord<byte[], byte[]> record, CompletableFuture<Long> offset) {
        Producer<byte[], byte[]> used = producer.usable();
        try {
            used.send(record, (metadata, failure) -> {
                if (failure == null) {
                    offset.complete(metadata.offset());
                } else {
                    producer.failed(used, failure);
                    offset.completeExceptionally(failure);
                }
            });
        } catch (KafkaException | IllegalStateException notSent) {
            producer.failed(used, notSent);
            throw notSent;
        }
    }

    private static byte[] encoded(JournalRecord record) {
        try {
            return Codecs.JOURNAL.encode(record);
        } catch (RuntimeException defect) {
            throw new SerializationException("the journal record cannot be encoded", defect);
        }
    }

    private static byte[] key(JournalRecord record) {
        return switch (record) {
            case JournalRecord.CallResult result -> result.id().value().getBytes(StandardCharsets.UTF_8);
            case JournalRecord.Barrier barrier -> null;
            case JournalRecord.Handover handover -> null;
        };
    }

    private static Headers headers(JournalRecord record) {
        return record instanceof JournalRecord.CallResult result
                ? io.hellogpt.once.topology.Headers.received(result.requestReceivedAt())
                : new RecordHeaders();
    }

    /** Waits for what was written to be acknowledged, at most ten seconds. */
    @Override
    public void close() {
        producer.close();
    }
}
