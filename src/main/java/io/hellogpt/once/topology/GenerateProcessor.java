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
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Stage 2: starts model calls through the gateway, and reads their results from the journal. Never waits for a call. */
final class GenerateProcessor extends StageProcessor {
    private final Generate generate;
    private final Rescue rescue;

    GenerateProcessor(OnceTopology.Parts parts, Generate generate, Rescue rescue) {
        super(parts, Nodes.GENERATE);
        this.generate = generate;
        this.rescue = rescue;
    }

    @Override
    public void init(ProcessorContext<byte[], Object> context) {
        super.init(context);
        log().started(
                        parts().gateway().openBarrier(partition()),
                        parts().gateway().instance());
    }

    @Override
    public void close() {
        super.close();
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
            case Generation.Settled(List<Fact> facts) -> step(original, () -> facts);
            case Generation.FirstAnswer answer -> acknowledge(answer);
        }
    }

    private void dispatchOrEnqueue(Original original, Generation.Ready ready) {
        step(original, ready::before);
        Pending pending = ready.state();
        if (log().open() && !log().backlog() && reserve()) {
            dispatch(original, pending, true);
        } else {
            log().backlog(true);
            step(original, () -> generate.enqueue(pending, moment()));
        }
    }

    /** Uses a reserved slot, or gives it back: the gateway outlives this thread, and with it a slot that nobody has. */
    private void dispatch(Original original, Pending pending, boolean isNew) {
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
                parts().gateway().release();
            }
        }
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
                handover.calls().forEach(call -> step(original, () -> onHandover(call, handover.instance())));
        }
    }

    private List<Fact> onHandover(JournalRecord.RunningCall call, String caller) {
        return generate.onHandover(stores(), call, caller, parts().gateway().instance(), moment());
    }

    private void result(Original original, JournalRecord.CallResult result) {
        switch (generate.onResult(stores(), result, moment())) {
            case Generation.Settled(List<Fact> facts) -> step(original, () -> facts);
            case Generation.FirstAnswer answer -> acknowledge(answer);
            case Generation.Ready ready -> dispatchOrEnqueue(original, ready);
        }
        if (log().backlog()) {
            pump();
        }
    }

    private void acknowledge(Generation.FirstAnswer answer) {
        handOn(key(answer.state().id()), new Message.Answered(answer), Nodes.ACKNOWLEDGE);
    }

    private void barrier(String id) {
        if (log().open() || !id.equals(log().barrier())) {
            return;
        }
        log().openDispatch();
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
                // Until the barrier is read the result may stand in the journal unread; the timer fires again.
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
        step(Original.NONE, decision, reason -> rescue.rescue(Optional.of(state), reason, moment()));
    }

    /** Dispatches what waits, in arrival order, as long as there are slots; bounded, so that input goes on. */
    private void pump() {
        if (!log().open()) {
            return;
        }
        List<Timer> waiting = stores().timers()
                .due(Timer.Kind.PENDING, moment().now(), parts().settings().timerBatch());
        for (Timer timer : waiting) {
            if (!reserve()) {
                log().backlog(true);
                return;
            }
            Optional<Pending> pending =
                    stores().state(timer.id()).filter(Pending.class::isInstance).map(Pending.class::cast);
            if (pending.isPresent()) {
                dispatch(Original.NONE, pending.get(), false);
            } else {
                parts().gateway().release();
                applier().drop(timer);
            }
        }
        log().backlog(waiting.size() == parts().settings().timerBatch());
    }

    private boolean reserve() {
        return log().slot(parts().gateway().reserve());
    }

    private Optional<Generating> generating(RequestId id) {
        return stores().state(id).filter(Generating.class::isInstance).map(Generating.class::cast);
    }

    private static IllegalStateException misdirected(Message message) {
        return new IllegalStateException(
                "generate does not take " + message.getClass().getSimpleName());
    }
}
