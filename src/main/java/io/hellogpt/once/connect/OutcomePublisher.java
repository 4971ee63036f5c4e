package io.hellogpt.once.connect;

import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RecordJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes outcomes, keyed by request_id, and tells when the brokers have each of them; until then it publishes an outcome
 * again and again. The default partitioner is left in place: the application reads an outcome in the partition that murmur2
 * gives for its request_id.
 *
 * <p>{@link #publish} is safe for several threads; {@link #step} and {@link #close} are for one.
 */
final class OutcomePublisher implements AutoCloseable {
    /** The same for every publication of the same outcome, so that consumers can drop repetitions. */
    static final String ID_HEADER = "outcome_id";

    private static final Logger LOG = LoggerFactory.getLogger(OutcomePublisher.class);
    private static final int MOST = 5_000;

    private final Mailbox<Pending> pending = new Mailbox<>(MOST);
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final String topic;
    private final Function<EffectOutcome, byte[]> encoding;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private Producer<byte[], byte[]> producer;

    private record Pending(EffectOutcome outcome, Runnable acknowledged) {}

    /** @param producers makes a producer; asked again after a failure, since some failures end a producer */
    OutcomePublisher(String topic, Supplier<Producer<byte[], byte[]>> producers) {
        this(topic, Codecs.EFFECT_OUTCOME::encode, producers);
    }

    private OutcomePublisher(
            String topic, Function<EffectOutcome, byte[]> encoding, Supplier<Producer<byte[], byte[]>> producers) {
        this.topic = topic;
        this.encoding = encoding;
        this.producers = producers;
    }

    /** One that writes JSON, for readers without Avro. */
    static OutcomePublisher inJson(String topic, Supplier<Producer<byte[], byte[]>> producers) {
        return new OutcomePublisher(
                topic, outcome -> RecordJson.json(Codecs.EFFECT_OUTCOME.encode(outcome)), producers);
    }

    /** @param acknowledged run once, on any thread, when all in-sync replicas have the outcome */
    void publish(EffectOutcome outcome, Runnable acknowledged) {
        pending.put(new Pending(outcome, acknowledged));
    }

    /**
     * Sends what there is, after waiting a moment for it.
     *
     * @throws KafkaException when outcomes could not be sent; they are kept
     */
    void step() throws InterruptedException {
        List<Pending> batch = pending.takeAll();
        int sent = 0;
        try {
            replaceBroken();
            for (; sent < batch.size(); sent++) {
                send(batch.get(sent));
            }
        } catch (InterruptException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedException();
        } finally {
            pending.putAll(batch.subList(sent, batch.size()));
        }
    }

    private void replaceBroken() {
        Exception broken = failure.getAndSet(null);
        if (broken != null) {
            close();
            throw new KafkaException(
                    "outcomes could not be published to " + topic
                            + "; they stand in the ledger and are published again, nothing is executed again",
                    broken);
        }
        if (producer == null) {
            producer = producers.get();
        }
    }

    private void send(Pending outcome) {
        producer.send(record(outcome.outcome()), (metadata, e) -> {
            if (e == null) {
                outcome.acknowledged().run();
            } else {
                failure.compareAndSet(null, e);
                pending.put(outcome);
            }
        });
    }

    private ProducerRecord<byte[], byte[]> record(EffectOutcome outcome) {
        byte[] key = outcome.effectId().requestId().value().getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key, encoding.apply(outcome));
        String id = outcome.effectId() + "#" + outcome.attempt();
        record.headers().add(ID_HEADER, id.getBytes(StandardCharsets.UTF_8));
        return record;
    }

    /** Ends the producer; what it has not delivered is pending again. */
    @Override
    public void close() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
        if (pending.size() > 0) {
            LOG.debug("outcomes not published yet count={} topic={}", pending.size(), topic);
        }
    }
}
