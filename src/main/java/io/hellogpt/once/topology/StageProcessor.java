package io.hellogpt.once.topology;

import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Rescue;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.RegistryUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
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
    private StepLog log;

    StageProcessor(OnceTopology.Parts parts, String stage) {
        this.parts = parts;
        this.stage = stage;
    }

    /** Streams calls this again on the same object when it revives a task: whatever is remembered in fields starts anew. */
    @Override
    public void init(ProcessorContext<byte[], Object> taskContext) {
        context = taskContext;
        log = parts.steps().of(taskContext);
        log.dueTimes().forget();
        stores = TaskStores.of(taskContext, log.dueTimes());
        applier = new FactApplier(taskContext, stores, parts, stage, log);
    }

    /** Everything a record leads to is one step; what a node hands to another belongs to the step it is handed in. */
    @Override
    public final void process(Record<byte[], Message> record) {
        if (!(record.value() instanceof Message.Raw)) {
            handle(record);
            return;
        }
        Optional<SourcePosition> source = log.read(context);
        if (source.isPresent()) {
            long start = parts.ticker().getAsLong();
            log.begin(source, context);
            handle(record);
            log.end(context);
            applier.stepped(parts.ticker().getAsLong() - start);
        }
    }

    abstract void handle(Record<byte[], Message> record);

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

    final StepLog log() {
        return log;
    }

    final int partition() {
        return context.taskId().partition();
    }

    /** The step's: a step happens at one moment, however long it takes. */
    final Moment moment() {
        return log.moment();
    }

    final void handOn(byte[] key, Message message, String node) {
        context.forward(new Record<>(key, message, moment().now().toEpochMilli()), node);
    }

    /** The record being processed, as it was read; {@link Original#NONE} in a punctuation. */
    final Original original(Record<byte[], Message> record) {
        byte[] value = record.value() instanceof Message.Raw raw ? raw.bytes() : null;
        return log.source()
                .map(position -> new Original(position, record.key(), value))
                .orElse(Original.NONE);
    }

    /** Takes a step that has nothing to fall back on: a record that cannot be processed is put aside. */
    final void step(Original original, Supplier<List<Fact>> decision) {
        step(original, decision, reason -> List.of());
    }

    /**
     * Takes a step: decides, encodes, writes. Whatever goes wrong before the first write is the record's own fault: it is put
     * aside, and what {@code otherwise} makes of the reason is applied in its place.
     */
    final void step(Original original, Supplier<List<Fact>> decision, Function<String, List<Fact>> otherwise) {
        prepare(original, decision, otherwise).ifPresent(applier::run);
    }

    /**
     * The first half of a step, up to its first write.
     *
     * @return empty when the step could not be taken and was dealt with
     */
    final Optional<FactApplier.Prepared> prepare(
            Original original, Supplier<List<Fact>> decision, Function<String, List<Fact>> otherwise) {
        try {
            return Optional.of(applier.prepare(decision.get(), original));
        } catch (KafkaException | RegistryUnavailableException notTheRecordsFault) {
            throw notTheRecordsFault;
        } catch (RuntimeException broken) {
            Rejection rejection = rejection(broken);
            LOG.error(
                    "stage={} source={} outcome={} action=\"put aside on rejected-requests unless it is accepted otherwise, the partition moves on\"",
                    stage,
                    original.position(),
                    rejection.reason(),
                    broken);
            List<Fact> instead = fitting(otherwise.apply(rejection.detail()), original);
            if (!accepts(instead, original)) {
                putAside(original, rejection);
            }
            applier.run(applier.prepare(instead, original));
            return Optional.empty();
        }
    }

    /** A record is accepted or rejected, and never both. */
    private static boolean accepts(List<Fact> facts, Original original) {
        return facts.stream()
                .anyMatch(fact -> fact instanceof Fact.Log(LifecycleEvent event)
                        && event.type() == LifecycleEvent.Type.ACCEPTED
                        && event.source().equals(original.position()));
    }

    /** A state at its record's limit cannot even be held as it is; then what was said about its effects is cut short. */
    private List<Fact> fitting(List<Fact> instead, Original original) {
        if (applier.fits(instead, original)) {
            return instead;
        }
        List<Fact> brief = Rescue.brief(instead);
        if (applier.fits(brief, original)) {
            return brief;
        }
        LOG.error(
                "stage={} source={} outcome=TOO_LARGE action=\"the request stays as it is: raise the record limit\"",
                stage,
                original.position());
        return List.of();
    }

    private static Rejection rejection(RuntimeException broken) {
        return switch (broken) {
            case CodecException unreadable -> Rejection.of(Rejection.Reason.MALFORMED, unreadable.getMessage());
            case OversizeRecordException oversize -> Rejection.of(Rejection.Reason.TOO_LARGE, oversize.getMessage());
            default -> Rejection.of(Rejection.Reason.PROCESSING_ERROR, broken.toString());
        };
    }

    /** A timer has no record to put aside. */
    private void putAside(Original original, Rejection rejection) {
        if (!original.equals(Original.NONE)) {
            reject(original, rejection);
        }
    }

    final void reject(Original original, Rejection rejection) {
        applier.run(applier.prepare(List.of(new Fact.Reject(rejection, original.position())), original));
    }

    static byte[] key(RequestId id) {
        return Keys.bytes(id);
    }
}
