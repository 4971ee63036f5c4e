package io.hellogpt.once.topology;

import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.core.TraceContext;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.Encoders;
import io.hellogpt.once.schema.RecordJson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries facts out: the only code that writes stores, outputs and calls. Everything is encoded and measured before the first
 * write, so that a step is applied whole or not at all; calls start last.
 */
final class FactApplier {
    private static final Logger LOG = LoggerFactory.getLogger(FactApplier.class);

    private static final int JSON_BYTES_PER_BYTE = 8;
    /** One part in so many of a record is kept free for outcomes when a decision is recorded. */
    private static final int HEADROOM = 8;

    private final ProcessorContext<byte[], Object> context;
    private final TaskStores stores;
    private final OnceTopology.Parts parts;
    private final String stage;
    private final CommitPacer pacer;
    private final StepLog log;

    FactApplier(
            ProcessorContext<byte[], Object> context,
            TaskStores stores,
            OnceTopology.Parts parts,
            String stage,
            StepLog log) {
        this.context = context;
        this.stores = stores;
        this.parts = parts;
        this.stage = stage;
        this.log = log;
        this.pacer =
                new CommitPacer(context, parts.settings().commitSpacing(), ThreadPace::ofThisThread, parts.ticker());
    }

    /** A step that is encoded and fits, and has written nothing yet. */
    record Prepared(List<Fact> facts, List<Write> writes) {}

    /**
     * Encodes and measures.
     *
     * @throws OversizeRecordException when a record would be larger than its topic takes
     */
    Prepared prepare(List<Fact> facts, Original original) {
        return new Prepared(
                facts, facts.stream().map(fact -> prepare(fact, original)).toList());
    }

    /**
     * Looks whether the state of a decision leaves room for what will be heard of its effects; afterwards it is too late.
     *
     * @return the facts
     * @throws OversizeRecordException when it does not
     */
    List<Fact> roomy(List<Fact> decided) {
        int limit = parts.settings().maxRecordBytes();
        for (Fact fact : decided) {
            if (fact instanceof Fact.Save(var previous, RequestState.Open open)) {
                sized(
                        open.id(),
                        "state with room for the outcomes of its effects",
                        Codecs.STATE.encode(open),
                        limit - limit / HEADROOM);
            }
        }
        return decided;
    }

    /** Whether each record of a step is one its topic takes. */
    boolean fits(List<Fact> facts, Original original) {
        try {
            prepare(facts, original);
            return true;
        } catch (OversizeRecordException oversize) {
            return false;
        }
    }

    /** Writes, then starts calls. What fails here fails the transaction. */
    void run(Prepared step) {
        write(step);
        call(step);
    }

    void write(Prepared step) {
        step.writes().forEach(Write::run);
        step.facts().forEach(log::applied);
        if (!step.facts().isEmpty()) {
            pacer.wrote(step.facts().stream().anyMatch(FactApplier::shows));
        }
    }

    /** Whether somebody outside waits for the commit: who reads the endings, or the connector. */
    private static boolean shows(Fact fact) {
        return switch (fact) {
            case Fact.Commit committed -> true;
            case Fact.Fail failed -> true;
            case Fact.AnswerDuplicate answered -> true;
            case Fact.Reject rejected -> true;
            case Fact.IssueEffect issued -> true;
            case Fact.Save saved -> false;
            case Fact.Forget forgotten -> false;
            case Fact.RecordSnapshot recorded -> false;
            case Fact.Stash stashed -> false;
            case Fact.Unstash unstashed -> false;
            case Fact.Log logged -> false;
            case Fact.StartCall started -> false;
            case Fact.CancelCall cancelled -> false;
            case Fact.Ignore ignored -> false;
        };
    }

    void call(Prepared step) {
        step.facts().forEach(this::call);
        try {
            parts.observer().appliedTogether(step.facts());
        } catch (RuntimeException defect) {
            // Whoever counts or traces must not take the partition with it, which would fail again at the same record.
            LOG.error("event=observer_defect stage={} action=\"the step stands\"", stage, defect);
        }
    }

    /** The step of a record is over. */
    void stepped(long nanosTaken) {
        pacer.stepped(nanosTaken);
    }

    /** Commits what an earlier step has written, if it is time. */
    void commitIfDue() {
        pacer.look();
    }

    /** Deletes a timer whose state has moved on. */
    void drop(Timer timer) {
        log.changed();
        stores.timers().delete(timer);
    }

    /** Deletes an entry of the queue of waiting requests whose request has moved on. */
    void dropPending(long lane, Timer timer) {
        stores.timers().deletePending(lane, timer);
    }

    private Write prepare(Fact fact, Original original) {
        return switch (fact) {
            case Fact.Save save -> save(save);
            case Fact.Forget forget -> () -> forget(forget.state());
            case Fact.RecordSnapshot(var snapshot) -> {
                byte[] bytes = Codecs.SNAPSHOT.encode(snapshot);
                Write forward = output(Topics.SNAPSHOTS, snapshot.id(), bytes);
                yield () -> {
                    stores.snapshots().put(snapshot.id(), bytes);
                    forward.run();
                };
            }
            case Fact.Stash(var response) -> {
                byte[] bytes = sized(response.id(), "early response", Codecs.EARLY_RESPONSE.encode(response));
                yield () -> {
                    stores.early(response.id()).ifPresent(known -> drop(stashTimer(known.id(), known.expiresAt())));
                    stores.earlyResponses().put(response.id(), bytes);
                    stores.timers().put(stashTimer(response.id(), response.expiresAt()));
                };
            }
            case Fact.Unstash(var response) ->
                () -> {
                    stores.earlyResponses().delete(response.id());
                    drop(stashTimer(response.id(), response.expiresAt()));
                };
            case Fact.IssueEffect(var effect) ->
                output(
                        Topics.EFFECTS,
                        effect.id().requestId(),
                        Codecs.EFFECT.encode(effect),
                        parts.traces().of(effect));
            case Fact.Commit(var result) ->
                ending(Topics.COMMITTED_RESULTS, result.state(), Encoders.committedResult(result));
            case Fact.Fail(var state) -> ending(Topics.FAILED_REQUESTS, state, Encoders.failedRequest(state));
            case Fact.AnswerDuplicate(var duplicate) ->
                output(Topics.DUPLICATE_REQUESTS, duplicate.known().id(), Encoders.duplicateRequest(duplicate));
            case Fact.Reject reject -> reject(reject, original);
            case Fact.Log(var event) -> output(Topics.LIFECYCLE_EVENTS, event.id(), Encoders.lifecycleEvent(event));
            case Fact.StartCall call -> Write.NOTHING;
            case Fact.CancelCall cancel -> Write.NOTHING;
            case Fact.Ignore ignore -> Write.NOTHING;
        };
    }

    private void call(Fact fact) {
        if (fact instanceof Fact.StartCall(var call)) {
            parts.gateway()
                    .start(
                            context.taskId().partition(),
                            call.traced(parts.traces().of(call)));
        } else if (fact instanceof Fact.CancelCall(RequestId id)) {
            parts.gateway().cancel(id);
        }
    }

    private Write save(Fact.Save save) {
        RequestState next = save.next();
        byte[] bytes = sized(next.id(), "state", Codecs.STATE.encode(next));
        Set<Timer> before = save.previous().map(RequestState::timers).orElseGet(Set::of);
        Set<Timer> after = next.timers();
        return () -> {
            before.stream()
                    .filter(timer -> !after.contains(timer))
                    .forEach(timer -> stores.timers().delete(save.previous().orElseThrow(), timer));
            after.stream()
                    .filter(timer -> !before.contains(timer))
                    .forEach(timer -> stores.timers().put(next, timer));
            stores.requests().put(next.id(), bytes);
        };
    }

    private void forget(RequestState.Ended state) {
        state.timers().forEach(timer -> stores.timers().delete(state, timer));
        stores.snapshots().delete(state.id());
        stores.requests().delete(state.id());
    }

    private Write reject(Fact.Reject reject, Original original) {
        byte[] key = reject.rejection().id().map(Keys::bytes).orElse(null);
        byte[] value = rejected(reject, original, Integer.MAX_VALUE);
        if (value.length > parts.settings().maxRecordBytes()) {
            // What is said about a record must be sayable; in JSON a byte of the original may take six.
            value = rejected(reject, original, parts.settings().maxRecordBytes() / JSON_BYTES_PER_BYTE);
        }
        return forward(Topics.REJECTED_REQUESTS, key, value, Optional.empty());
    }

    private byte[] rejected(Fact.Reject reject, Original original, int keep) {
        Encoders.Refused refused = new Encoders.Refused(original.key(), original.value(), keep);
        return encoded(
                Topics.REJECTED_REQUESTS,
                Encoders.rejectedRequest(reject.rejection(), reject.source(), stage, refused, now()));
    }

    private Write ending(String topic, RequestState.Ended state, byte[] value) {
        return output(topic, state.id(), value, parts.traces().of(state.identity()));
    }

    private Write output(String topic, RequestId id, byte[] value) {
        return output(topic, id, value, Optional.empty());
    }

    private Write output(String topic, RequestId id, byte[] value, Optional<TraceContext> trace) {
        return forward(topic, Keys.bytes(id), sized(id, "record for " + topic, encoded(topic, value)), trace);
    }

    private byte[] encoded(String topic, byte[] avro) {
        return switch (parts.settings().answers()) {
            case AVRO -> avro;
            case JSON -> Topics.ANSWERS.contains(topic) ? RecordJson.json(avro) : avro;
        };
    }

    private Write forward(String topic, byte[] key, byte[] value, Optional<TraceContext> trace) {
        Record<byte[], Object> record = new Record<>(key, value, now().toEpochMilli(), Headers.of(trace));
        return () -> {
            log.wrote();
            context.forward(record, Nodes.sink(topic));
        };
    }

    private byte[] sized(RequestId id, String what, byte[] bytes) {
        return sized(id, what, bytes, parts.settings().maxRecordBytes());
    }

    private static byte[] sized(RequestId id, String what, byte[] bytes, int limit) {
        if (bytes.length > limit) {
            throw new OversizeRecordException(id, what, bytes.length, limit);
        }
        return bytes;
    }

    private Instant now() {
        return log.moment().now();
    }

    private static Timer stashTimer(RequestId id, Instant expiresAt) {
        return new Timer(Timer.Kind.STASH, expiresAt, 0, id);
    }

    /** One prepared write. */
    @FunctionalInterface
    interface Write {
        Write NOTHING = () -> {};

        void run();
    }
}
