package io.hellogpt.once.connect;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TraceContext;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.EffectDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records as effects. One that is none is logged and, where the worker has a reporter for such records, reported; it stays
 * in its topic, and it holds up its offset until its report is in. For one thread.
 */
final class RecordReader {
    private static final Logger LOG = LoggerFactory.getLogger(RecordReader.class);

    private final Optional<ErrantRecordReporter> reporter;
    private final List<Report> reports = new ArrayList<>();

    private record Report(SinkRecord record, RuntimeException why, PartitionOffsets.Ticket ticket, Future<Void> sent) {}

    /** @param reporter none when the worker has none, or would end the task on a report */
    RecordReader(Optional<ErrantRecordReporter> reporter) {
        this.reporter = reporter;
    }

    /**
     * The effect in a record, if it is one; else {@code ticket} is done as soon as that is reported.
     *
     * @throws ConnectException when the worker is not set up for bytes
     */
    Optional<Effect> read(SinkRecord record, PartitionOffsets.Ticket ticket) {
        if (record.value() != null && !(record.value() instanceof byte[])) {
            throw new ConnectException(
                    "values reach the task as " + record.value().getClass().getName()
                            + "; set value.converter to org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        try {
            return Optional.of(decode(record));
        } catch (CodecException | IllegalArgumentException e) {
            LOG.error(
                    "record is no effect, skipped position={} reason=\"{}\"; see who writes to the topic",
                    position(record),
                    e.getMessage());
            report(record, e, ticket);
            return Optional.empty();
        }
    }

    private static Effect decode(SinkRecord record) {
        if (!(record.value() instanceof byte[] bytes)) {
            throw new CodecException("the record has no value");
        }
        Effect effect = EffectDecoder.decode(bytes);
        if (effect.id().toString().chars().anyMatch(Character::isISOControl)) {
            throw new CodecException("effect_id holds control characters");
        }
        return effect.traced(header(record, TraceContext.TRACEPARENT)
                .flatMap(parent -> TraceContext.read(parent, header(record, TraceContext.TRACESTATE))));
    }

    /** As text, whatever the worker's header.converter makes of it. */
    private static Optional<String> header(SinkRecord record, String name) {
        return Optional.ofNullable(record.headers().lastWithName(name))
                .map(Header::value)
                .map(value ->
                        value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : value.toString());
    }

    /**
     * Where a record was read, whatever a transformation has made of it since (KIP-793): offsets are committed and partitions
     * paused there. A worker from before Kafka 3.6 does not tell, so on one no transformation may rename topics.
     */
    static SourcePosition position(SinkRecord record) {
        try {
            return new SourcePosition(
                    record.originalTopic(), record.originalKafkaPartition(), record.originalKafkaOffset());
        } catch (NoSuchMethodError olderWorker) {
            return new SourcePosition(record.topic(), record.kafkaPartition(), record.kafkaOffset());
        }
    }

    private void report(SinkRecord record, RuntimeException why, PartitionOffsets.Ticket ticket) {
        reporter.ifPresentOrElse(
                to -> reports.add(new Report(record, why, ticket, to.report(record, why))), ticket::done);
    }

    /** Looks after reports that are on their way; one that failed is made again. */
    void sweep() {
        List<Report> failed = new ArrayList<>();
        for (Iterator<Report> each = reports.iterator(); each.hasNext(); ) {
            Report report = each.next();
            if (report.sent().isDone()) {
                each.remove();
                if (arrived(report)) {
                    report.ticket().done();
                } else {
                    failed.add(report);
                }
            }
        }
        failed.forEach(report -> report(report.record(), report.why(), report.ticket()));
    }

    private static boolean arrived(Report report) {
        try {
            report.sent().get();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            LOG.error(
                    "record that is no effect could not be reported to the dead letter queue, reported again position={}",
                    position(report.record()),
                    e.getCause());
            return false;
        }
    }
}
