package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.EffectSinkConfig;
import io.hellogpt.once.connect.ledger.EffectLedger;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.EffectDecoder;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes attempts of effects and publishes their outcomes. Returns from {@link #put} only when every outcome of the batch has
 * been acknowledged, so the offsets Connect commits afterwards never run ahead of an outcome.
 *
 * <p>What is down is waited for: the batch is put off and given again, and nothing is dropped.
 */
public final class EffectSinkTask extends SinkTask {
    private static final Logger LOG = LoggerFactory.getLogger(EffectSinkTask.class);
    private static final long BACKOFF_MILLIS = 1_000;

    private EffectLedger ledger;
    private EffectPipeline pipeline;
    private Duration budget;
    private boolean migrated;

    @Override
    public String version() {
        return ConnectorVersion.get();
    }

    @Override
    public void start(Map<String, String> props) {
        EffectSinkConfig config = new EffectSinkConfig(props);
        Clock clock = Clock.systemUTC();
        String owner = UUID.randomUUID().toString();
        budget = config.putTimeout();
        ledger = new EffectLedger(config.ledger(), owner, config.lease(), clock);
        Map<String, Object> producer = config.outcomesProducer();
        OutcomePublisher outcomes = new OutcomePublisher(
                config.outcomesTopic(),
                config.outcomesAckTimeout(),
                () -> new KafkaProducer<>(producer, new ByteArraySerializer(), new ByteArraySerializer()));
        pipeline = new EffectPipeline(config.routes(), ledger, new Dispatcher(config.routes(), clock), outcomes, clock);
        LOG.info(
                "task started version={} lease_owner={} routes={}",
                version(),
                owner,
                config.routes().keySet());
    }

    /**
     * @throws RetriableException when the ledger, the brokers or the time did not suffice; Connect gives the batch again
     * @throws ConnectException when the worker is not set up for bytes
     */
    @Override
    public void put(Collection<SinkRecord> records) {
        List<Delivery> deliveries = new ArrayList<>(records.size());
        for (SinkRecord record : records) {
            read(record, deliveries);
        }
        int left;
        try {
            if (!migrated) {
                ledger.migrate();
                migrated = true;
            }
            left = pipeline.process(deliveries, budget);
        } catch (SQLException e) {
            throw putOff(
                    "the ledger cannot be used (SQL state " + e.getSQLState() + "); the batch of " + records.size()
                            + " is kept and tried again",
                    e);
        } catch (RetriableException e) {
            context.timeout(BACKOFF_MILLIS);
            throw e;
        }
        if (left > 0) {
            throw putOff(
                    left + " of " + records.size() + " effects could not be sent within " + budget.toMillis()
                            + " ms or are held by another task; they are tried again",
                    null);
        }
    }

    private RetriableException putOff(String why, Throwable cause) {
        context.timeout(BACKOFF_MILLIS);
        return new RetriableException(why, cause);
    }

    private void read(SinkRecord record, List<Delivery> deliveries) {
        if (record.value() != null && !(record.value() instanceof byte[])) {
            throw new ConnectException(
                    "values reach the task as " + record.value().getClass().getName()
                            + "; set value.converter to org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        SourcePosition position = new SourcePosition(record.topic(), record.kafkaPartition(), record.kafkaOffset());
        try {
            Effect effect = EffectDecoder.decode(bytes(record));
            if (effect.id().toString().chars().anyMatch(Character::isISOControl)) {
                throw new CodecException("effect_id holds control characters");
            }
            deliveries.add(new Delivery(position, effect));
        } catch (CodecException | IllegalArgumentException e) {
            unreadable(record, position, e);
        }
    }

    private static byte[] bytes(SinkRecord record) {
        if (record.value() instanceof byte[] bytes) {
            return bytes;
        }
        throw new CodecException("the record has no value");
    }

    /** Without an effect_id nobody can be told; the record itself stays in its topic. */
    private void unreadable(SinkRecord record, SourcePosition position, RuntimeException why) {
        LOG.error(
                "record is no effect, skipped topic={} partition={} offset={} reason=\"{}\"; see who writes to the topic",
                position.topic(),
                position.partition(),
                position.offset(),
                why.getMessage());
        ErrantRecordReporter reporter = context.errantRecordReporter();
        if (reporter == null) {
            return;
        }
        try {
            reporter.report(record, why).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw putOff("interrupted while reporting a record that is no effect", e);
        } catch (ExecutionException e) {
            throw putOff("a record that is no effect could not be reported to the dead letter queue", e.getCause());
        }
    }

    @Override
    public void stop() {
        if (pipeline != null) {
            pipeline.close();
            pipeline = null;
        }
    }
}
