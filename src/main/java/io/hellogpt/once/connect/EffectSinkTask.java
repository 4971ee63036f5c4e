package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.EffectSinkConfig;
import io.hellogpt.once.connect.ledger.EffectLedger;
import io.hellogpt.once.core.SourcePosition;
import java.time.Clock;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes attempts of effects and publishes their outcomes. {@link #put} only takes them in; an offset is committed when the
 * outcomes of all records before it have been acknowledged, so that it never runs ahead of an outcome.
 *
 * <p>What is down is waited for, with what was read kept and reading paused; nothing is dropped.
 */
public final class EffectSinkTask extends SinkTask {
    private static final Logger LOG = LoggerFactory.getLogger(EffectSinkTask.class);
    private static final long LOOK_AGAIN_MILLIS = 50;

    private final PartitionOffsets offsets = new PartitionOffsets();
    private final Set<TopicPartition> paused = new HashSet<>();
    private Optional<TaskMeters.Board> board = Optional.empty();
    private EffectPipeline pipeline;
    private LedgerPurge purge;
    private RecordReader reader;

    @Override
    public String version() {
        return ConnectorVersion.get();
    }

    @Override
    public void start(Map<String, String> props) {
        EffectSinkConfig config = new EffectSinkConfig(props);
        Clock clock = Clock.systemUTC();
        String owner = UUID.randomUUID().toString();
        OutcomePublisher outcomes = publisher(config);
        Dispatcher dispatcher = new Dispatcher(config.routes(), config::circuit, clock);
        // Last of what can refuse its settings: nothing would close it.
        EffectLedger ledger = new EffectLedger(config.ledger(), owner, config.lease(), clock);
        pipeline = new EffectPipeline(config.routes(), config.task(), ledger, dispatcher, outcomes, clock).start();
        board = WorkerBoard.of(context);
        board.ifPresent(pipeline::showOn);
        purge = LedgerPurge.start(ledger, config.task().purge());
        reader = new RecordReader(reporter(props));
        LOG.info(
                "task started version={} lease_owner={} routes={}",
                version(),
                owner,
                config.routes().keySet());
    }

    private static OutcomePublisher publisher(EffectSinkConfig config) {
        Map<String, Object> settings = config.outcomesProducer();
        Supplier<Producer<byte[], byte[]>> producers =
                () -> new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        return config.outcomesInJson()
                ? OutcomePublisher.inJson(config.outcomesTopic(), producers)
                : new OutcomePublisher(config.outcomesTopic(), producers);
    }

    /**
     * None unless errors are tolerated: where they are not, a report ends the task, and a record that is no effect must not.
     */
    private Optional<ErrantRecordReporter> reporter(Map<String, String> props) {
        return "all".equals(props.get("errors.tolerance"))
                ? Optional.ofNullable(context.errantRecordReporter())
                : Optional.empty();
    }

    @Override
    public void open(Collection<TopicPartition> partitions) {
        offsets.open(partitions);
    }

    /**
     * Takes records in and returns at once.
     *
     * @throws ConnectException when the worker is not set up for bytes, or a defect has ended the work
     */
    @Override
    public void put(Collection<SinkRecord> records) {
        failOnDefect();
        long now = System.nanoTime();
        for (SinkRecord record : records) {
            SourcePosition position = RecordReader.position(record);
            PartitionOffsets.Ticket ticket =
                    offsets.take(new TopicPartition(position.topic(), position.partition()), position.offset());
            reader.read(record, ticket)
                    .ifPresent(effect -> pipeline.accept(new Delivery(position, effect, now), ticket));
        }
        reader.sweep();
        regulate();
    }

    /** A paused consumer must be looked after: the worker calls again when this time is up. */
    private void regulate() {
        Set<TopicPartition> relieved = pipeline.relieved(paused);
        if (!relieved.isEmpty()) {
            paused.removeAll(relieved);
            context.resume(relieved.toArray(TopicPartition[]::new));
        }
        Set<TopicPartition> full = new HashSet<>(pipeline.full(context.assignment()));
        full.removeAll(paused);
        if (!full.isEmpty()) {
            paused.addAll(full);
            context.pause(full.toArray(TopicPartition[]::new));
            LOG.debug("a route's queue is full, not read on for now partitions={}", full);
        }
        if (!paused.isEmpty()) {
            context.timeout(LOOK_AGAIN_MILLIS);
        }
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> preCommit(Map<TopicPartition, OffsetAndMetadata> consumed) {
        failOnDefect();
        board.ifPresent(TaskMeters.Board::refresh);
        reader.sweep();
        return offsets.committable(consumed);
    }

    /** Waits a bounded time for calls that are out, and forgets what was not begun. */
    @Override
    public void close(Collection<TopicPartition> partitions) {
        offsets.close(partitions);
        paused.removeAll(partitions);
        if (pipeline != null) {
            pipeline.release(partitions);
        }
    }

    private void failOnDefect() {
        pipeline.failure().ifPresent(defect -> {
            throw new ConnectException(
                    "the task cannot go on after a defect of the connector; its effects stand in the ledger and are recovered"
                            + " by their class when it is restarted",
                    defect);
        });
    }

    @Override
    public void stop() {
        if (purge != null) {
            purge.close();
        }
        if (pipeline != null) {
            pipeline.close();
            pipeline = null;
        }
    }
}
