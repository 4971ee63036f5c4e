package io.hellogpt.once.topology;

import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Generate;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState.Open;
import io.hellogpt.once.core.Rescue;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.Codecs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stage 2: starts model calls through the gateway, and reads their results from the journal. Never waits for a call. */
final class GenerateProcessor extends StageProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(GenerateProcessor.class);

    private final Generate generate;
    private final Rescue rescue;

    private PendingQueue waiting;

    GenerateProcessor(OnceTopology.Parts parts, Generate generate, Rescue rescue) {
        super(parts, Nodes.GENERATE);
        this.generate = generate;
        this.rescue = rescue;
    }

    @Override
    public void init(ProcessorContext<byte[], Object> context) {
        super.init(context);
        waiting = new PendingQueue(stores().timers());
        log().started(
                        parts().gateway().openBarrier(partition()),
                        parts().gateway().instance());
    }

    @Override
    public void close() {
        parts().gateway().handover(partition());
    }

    @Override
    void handle(Record<byte[], Message> record) {
        switch (record.value()) {
            case Message.Accepted(Pending pending, Original original) -> arrive(original, pending);
            case Message.Raw raw -> journal(original(record));
            case Message.Due(Timer timer) -> due(timer);
            case Message.Tick tick -> pump();
            case Message.Answered answered -> throw misdirected(answered);
            case Message.Decided decided -> throw misdirected(decided);
        }
    }

    private void arrive(Original original, Pending pending) {
        switch (generate.arrive(stores(), pending, moment())) {
            case Generation.Ready ready -> dispatchOrEnqueue(original, ready);
            case Generation.Settled(List<Fact> facts) -> take(original, () -> facts);
            case Generation.FirstAnswer answer -> acknowledge(answer);
        }
    }

    private void dispatchOrEnqueue(Original original, Generation.Ready ready) {
        take(original, ready::before);
        Pending pending = ready.state();
        ModelGateway.Demand demand = parts().gateway().demand(pending.request());
        if (log().dispatchAtOnce(() -> isFirst(pending) && parts().gateway().reserve(partition(), demand))) {
            dispatch(original, pending, true, demand);
        } else {
            take(original, () -> generate.enqueue(pending, moment()));
        }
    }

    /** Uses a reserved slot, or gives it back: the gateway outlives this thread, and with it a slot that nobody has. */
    private void dispatch(Original original, Pending pending, boolean isNew, ModelGateway.Demand demand) {
        log().dispatching(pending.id());
        String instance = parts().gateway().instance();
        boolean written = false;
        try {
            Optional<FactApplier.Prepared> dispatch = prepare(
                    original,
                    () -> generate.dispatch(pending, isNew, instance, moment()),
                    reason -> rescue.rescue(isNew ? Optional.empty() : Optional.of(pending), reason, moment()));
            dispatch.ifPresent(applier()::write);
            written = dispatch.isPresent();
            dispatch.ifPresent(applier()::call);
        } finally {
            if (!written) {
                parts().gateway().release(partition(), demand);
            }
        }
    }

    /** Takes a step and keeps the queue of waiting requests up with it. */
    private void take(Original original, Supplier<List<Fact>> decision) {
        step(original, () -> noted(decision.get()));
    }

    private List<Fact> noted(List<Fact> facts) {
        for (Fact fact : facts) {
            if (fact instanceof Fact.Save save && save.next() instanceof Pending pending) {
                pending.timers().stream()
                        .filter(timer -> timer.kind() == Timer.Kind.PENDING)
                        .forEach(timer -> waiting.added(lane(pending), timer));
            }
        }
        return facts;
    }

    private static long lane(Pending pending) {
        return Keys.lane(pending.request().model());
    }

    private void journal(Original original) {
        JournalRecord record;
        try {
            record = Codecs.JOURNAL.decode(original.value() == null ? new byte[0] : original.value());
        } catch (CodecException unreadable) {
            reject(original, Rejection.of(Rejection.Reason.MALFORMED, unreadable.getMessage()));
            return;
        }
        switch (record) {
            case JournalRecord.CallResult result -> result(original, result);
            case JournalRecord.Barrier(String id) -> barrier(id);
            case JournalRecord.Handover handover ->
                handover.calls().forEach(call -> take(original, () -> onHandover(call, handover.instance())));
        }
    }

    private List<Fact> onHandover(JournalRecord.RunningCall call, String caller) {
        return generate.onHandover(stores(), call, caller, parts().gateway().instance(), moment());
    }

    private void result(Original original, JournalRecord.CallResult result) {
        switch (generate.onResult(stores(), result, moment())) {
            case Generation.Settled(List<Fact> facts) -> take(original, () -> facts);
            case Generation.FirstAnswer answer -> acknowledge(answer);
            case Generation.Ready ready -> dispatchOrEnqueue(original, ready);
        }
        pump();
    }

    private void acknowledge(Generation.FirstAnswer answer) {
        handOn(key(answer.state().id()), new Message.Answered(answer), Nodes.ACKNOWLEDGE);
    }

    private void barrier(String id) {
        if (log().open() || !id.equals(log().barrier())) {
            return;
        }
        log().openDispatch();
        int moved = new LaneMigration(stores()).run();
        if (moved > 0) {
            LOG.info(
                    "event=lanes_given partition={} requests={} cause=\"they wait since before version 0.1.0\"",
                    partition(),
                    moved);
        }
        String instance = parts().gateway().instance();
        for (Timer timer : stores().timers().all(Timer.Kind.CALL_DEADLINE)) {
            generating(timer.id())
                    .ifPresent(state -> onTimer(state, () -> generate.onBarrier(state, instance, moment())));
        }
        pump();
    }

    private void due(Timer timer) {
        switch (timer.kind()) {
            case CALL_DEADLINE -> {
                // Where an earlier version was recorded it fires before the barrier too, and then changes nothing.
                if (log().open()) {
                    generating(timer.id())
                            .ifPresent(state -> onTimer(state, () -> generate.onCallDeadline(state, moment())));
                }
            }
            case REQUEST_DEADLINE ->
                stores().state(timer.id())
                        .filter(Open.class::isInstance)
                        .map(Open.class::cast)
                        .ifPresent(state -> onTimer(state, () -> generate.onRequestDeadline(state, moment())));
            case PENDING, EFFECT, HOLD, EXPIRY, STASH -> throw misdirected(new Message.Due(timer));
        }
    }

    private void onTimer(Open state, Supplier<List<Fact>> decision) {
        step(Original.NONE, () -> noted(decision.get()), reason -> rescue.rescue(Optional.of(state), reason, moment()));
    }

    /**
     * Dispatches what waits: in arrival order within a model, one request of each model after the other, as long as there are
     * slots. A model that gets none is passed over. Bounded, so that input goes on.
     */
    private void pump() {
        if (!log().open()) {
            return;
        }
        Optional<List<RequestId>> recorded = log().recordedDispatches();
        if (recorded.isPresent()) {
            recorded.get().forEach(this::dispatchAgain);
            return;
        }
        Instant now = moment().now();
        List<PendingQueue.Lane> lanes = waiting.due(now);
        int left = parts().settings().timerBatch();
        while (!lanes.isEmpty() && left > 0) {
            lanes.removeIf(lane -> !dispatchNext(lane, now));
            left -= Math.max(1, lanes.size());
        }
    }

    /** What was dispatched when the step was recorded, whoever's turn it seems to be now. */
    private void dispatchAgain(RequestId id) {
        stores().state(id)
                .filter(Pending.class::isInstance)
                .map(Pending.class::cast)
                .ifPresent(pending -> dispatch(
                        Original.NONE, pending, false, parts().gateway().demand(pending.request())));
    }

    private boolean isFirst(Pending pending) {
        return log().open() && !waiting.waits(lane(pending), moment().now());
    }

    /** @return whether the lane may have another request to dispatch */
    private boolean dispatchNext(PendingQueue.Lane lane, Instant now) {
        Optional<Timer> next = waiting.next(lane, now);
        if (next.isEmpty()) {
            return false;
        }
        Timer timer = next.get();
        Optional<PendingQueue.Waiting> front = waiting.front(lane, timer).or(() -> look(lane, timer));
        if (front.isEmpty()) {
            return true;
        }
        ModelGateway.Demand demand = front.get().demand();
        if (!parts().gateway().reserve(partition(), demand)) {
            return false;
        }
        Optional<Pending> pending = pending(timer);
        if (pending.isPresent()) {
            waiting.removed(lane, timer);
            dispatch(Original.NONE, pending.get(), false, demand);
        } else {
            parts().gateway().release(partition(), demand);
            movedOn(lane, timer);
        }
        return true;
    }

    private Optional<PendingQueue.Waiting> look(PendingQueue.Lane lane, Timer timer) {
        Optional<PendingQueue.Waiting> front = pending(timer)
                .map(pending ->
                        new PendingQueue.Waiting(timer, parts().gateway().demand(pending.request())));
        front.ifPresentOrElse(known -> waiting.front(lane, known), () -> movedOn(lane, timer));
        return front;
    }

    /** The request, if it still waits under this very timer: it may have been cancelled, or wait longer since. */
    private Optional<Pending> pending(Timer timer) {
        return stores().state(timer.id())
                .filter(Pending.class::isInstance)
                .map(Pending.class::cast)
                .filter(pending -> pending.timers().contains(timer));
    }

    private void movedOn(PendingQueue.Lane lane, Timer timer) {
        waiting.removed(lane, timer);
        applier().dropPending(lane.id, timer);
    }

    private Optional<Generating> generating(RequestId id) {
        return stores().state(id).filter(Generating.class::isInstance).map(Generating.class::cast);
    }

    private static IllegalStateException misdirected(Message message) {
        return new IllegalStateException(
                "generate does not take " + message.getClass().getSimpleName());
    }
}
