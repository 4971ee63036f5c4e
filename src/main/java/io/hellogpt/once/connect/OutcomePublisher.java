package io.hellogpt.once.connect;

import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.schema.Codecs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.connect.errors.RetriableException;

/**
 * Publishes outcomes, keyed by request_id, and returns only when the brokers have all of them. The default partitioner is
 * left in place: the application reads an outcome in the partition that murmur2 gives for its request_id.
 *
 * <p>For one thread.
 */
final class OutcomePublisher implements AutoCloseable {
    /** The same for every publication of the same outcome, so that consumers can drop repetitions. */
    static final String ID_HEADER = "outcome_id";

    private final String topic;
    private final Duration ackTimeout;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private Producer<byte[], byte[]> producer;

    /** @param producers makes a producer; asked again after a failure, since some failures end a producer */
    OutcomePublisher(String topic, Duration ackTimeout, Supplier<Producer<byte[], byte[]>> producers) {
        this.topic = topic;
        this.ackTimeout = ackTimeout;
        this.producers = producers;
    }

    /**
     * Publishes {@code outcomes} and waits for the acknowledgement of each.
     *
     * @throws RetriableException when not all were acknowledged in time; some may be in the topic, and all must be published
     *     again
     */
    void publish(List<EffectOutcome> outcomes) {
        if (outcomes.isEmpty()) {
            return;
        }
        try {
            if (producer == null) {
                producer = producers.get();
            }
            List<Future<?>> acks = new ArrayList<>(outcomes.size());
            for (EffectOutcome outcome : outcomes) {
                acks.add(producer.send(record(outcome)));
            }
            producer.flush();
            await(acks);
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            throw putOff(outcomes, e);
        } catch (ExecutionException e) {
            throw putOff(outcomes, e.getCause());
        } catch (TimeoutException | KafkaException e) {
            throw putOff(outcomes, e);
        }
    }

    private void await(List<Future<?>> acks) throws InterruptedException, ExecutionException, TimeoutException {
        long end = System.nanoTime() + ackTimeout.toNanos();
        for (Future<?> ack : acks) {
            ack.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        }
    }

    private ProducerRecord<byte[], byte[]> record(EffectOutcome outcome) {
        byte[] key = outcome.effectId().requestId().value().getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key, Codecs.EFFECT_OUTCOME.encode(outcome));
        String id = outcome.effectId() + "#" + outcome.attempt();
        record.headers().add(ID_HEADER, id.getBytes(StandardCharsets.UTF_8));
        return record;
    }

    private RetriableException putOff(List<EffectOutcome> outcomes, Throwable cause) {
        close();
        return new RetriableException(
                outcomes.size() + " outcomes, the first of effect "
                        + outcomes.getFirst().effectId()
                        + ", could not be published to " + topic
                        + "; they stand in the ledger and are published again, nothing is executed again",
                cause);
    }

    @Override
    public void close() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }
}
