package io.hellogpt.once.topology;

import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.schema.CodecException;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the stages have in common: load, call {@code core}, apply, forward. A record that cannot be processed goes to
 * {@code rejected-requests} with its bytes and the reason; the partition moves on. Failures of Kafka or of a store are not the
 * record's fault and reach the stream thread.
 */
abstract class StageProcessor implements Processor<byte[], Message, byte[], Object> {
    private static final Logger LOG = LoggerFactory.getLogger(StageProcessor.class);

    private final OnceTopology.Parts parts;
    private final String stage;
    private ProcessorContext<byte[], Object> context;
    private TaskStores stores;
    private FactApplier applier;

    StageProcessor(OnceTopology.Parts parts, String stage) {
        this.parts = parts;
        this.stage = stage;
    }

    @Override
    public void init(ProcessorContext<byte[], Object> taskContext) {
        context = taskContext;
        stores = TaskStores.of(taskContext);
        applier = new FactApplier(taskContext, stores, parts, stage);
    }

    final OnceTopology.Parts parts() {
        return parts;
    }

    final ProcessorContext<byte[], Object> context() {
        return context;
    }

    final TaskStores stores() {
        return stores;
    }

    final FactApplier applier() {
        return applier;
    }

    final int partition() {
        return context.taskId().partition();
    }

    final Moment moment() {
        return new Moment(
                Instant.ofEpochMilli(context.currentSystemTimeMs()),
                Instant.ofEpochMilli(Math.max(0, context.currentStreamTimeMs())));
    }

    final void apply(List<Fact> facts) {
        applier.apply(facts, Original.NONE);
    }

    final void handOn(byte[] key, Message message, String node) {
        context.forward(new Record<>(key, message, context.currentSystemTimeMs()), node);
    }

    /** The record being processed, as it was read. */
    final Original original(Record<byte[], Message> record) {
        byte[] value = record.value() instanceof Message.Raw raw ? raw.bytes() : null;
        return context.recordMetadata()
                .map(at ->
                        new Original(new SourcePosition(at.topic(), at.partition(), at.offset()), record.key(), value))
                .orElse(Original.NONE);
    }

    /** Decodes and decides. Whatever the record makes that throw, it is recorded, and the partition moves on. */
    final void guarded(Original original, Supplier<List<Fact>> decision) {
        List<Fact> facts;
        try {
            facts = decision.get();
        } catch (CodecException unreadable) {
            reject(original, Rejection.of(Rejection.Reason.MALFORMED, unreadable.getMessage()));
            return;
        } catch (IllegalArgumentException | IllegalStateException | NullPointerException broken) {
            LOG.error("stage={} source={} outcome=rejected", stage, original.position(), broken);
            reject(original, Rejection.of(Rejection.Reason.PROCESSING_ERROR, broken.toString()));
            return;
        }
        applySized(original, facts);
    }

    private void applySized(Original original, List<Fact> facts) {
        try {
            applier.apply(facts, original);
        } catch (OversizeRecordException oversize) {
            LOG.error("stage={} source={} outcome=rejected", stage, original.position(), oversize);
            reject(original, Rejection.of(Rejection.Reason.TOO_LARGE, oversize.getMessage()));
        }
    }

    final void reject(Original original, Rejection rejection) {
        applier.apply(List.of(new Fact.Reject(rejection, original.position())), original);
    }

    static byte[] key(RequestId id) {
        return Keys.bytes(id);
    }
}
