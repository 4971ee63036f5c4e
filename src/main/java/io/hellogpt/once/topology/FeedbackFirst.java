package io.hellogpt.once.topology;

import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.Codecs;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Orders feedback by the receive time of the request it is about. Streams takes the earliest record among a task's partitions, so
 * an answer to an old request goes ahead of a backlog of new ones.
 *
 * <p>It also keeps the task's stream time what the dedup window needs: the highest append time of {@code requests} seen. Feedback
 * is never later than its request, and commands, barriers and handovers have no time of their own ({@link #FIRST}).
 */
final class FeedbackFirst implements TimestampExtractor {
    private static final long FIRST = 0;

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        return switch (record.topic()) {
            case Topics.MODEL_RESPONSES, Topics.EFFECT_OUTCOMES ->
                Headers.receivedAt(record.headers())
                        .map(received -> Math.min(received.toEpochMilli(), record.timestamp()))
                        .orElseGet(() -> feedback(record));
            case Topics.COMMANDS -> FIRST;
            case Topics.REQUESTS_REROUTED ->
                Headers.receivedAt(record.headers()).map(Instant::toEpochMilli).orElse(record.timestamp());
            default -> Math.max(FIRST, record.timestamp());
        };
    }

    private static long feedback(ConsumerRecord<Object, Object> record) {
        if (!(record.value() instanceof Message.Raw raw) || raw.bytes() == null) {
            return FIRST;
        }
        try {
            return record.topic().equals(Topics.EFFECT_OUTCOMES)
                    ? Codecs.EFFECT_OUTCOME
                            .decode(raw.bytes())
                            .requestReceivedAt()
                            .toEpochMilli()
                    : ofJournal(Codecs.JOURNAL.decode(raw.bytes()));
        } catch (CodecException unreadable) {
            // The processor records it with the reason; here it only needs a place in the order.
            return FIRST;
        }
    }

    private static long ofJournal(JournalRecord record) {
        return switch (record) {
            case JournalRecord.CallResult result -> result.requestReceivedAt().toEpochMilli();
            case JournalRecord.Barrier barrier -> FIRST;
            case JournalRecord.Handover handover -> FIRST;
        };
    }
}
