package io.hellogpt.once.topology;

import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Generate;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState.Generating;
import io.hellogpt.once.core.RequestState.Pending;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.Codecs;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Stage 2: starts model calls through the gateway, and reads their results from the journal. Never waits for a call. */
final class GenerateProcessor extends StageProcessor {
    private final Generate generate;
    private String barrier;
    /** Nothing is dispatched before this start's barrier is read: until then an answer may be in the journal unread. */
    private boolean open;
    /** Requests wait for a slot; a new one must not overtake them. */
    private boolean backlog = true;

    GenerateProcessor(OnceTopology.Parts parts, Generate generate) {
        super(parts, Nodes.GENERATE);
        this.generate = generate;
    }

    @Override
    public void init(ProcessorContext<byte[], Object> context) {
        super.init(context);
        barrier = parts().gateway().openBarrier(partition());
    }

    @Override
    public void close() {
        parts().gateway().handover(partition());
    }

    @Override
    public void process(Record<byte[], Message> record) {
        switch (record.value()) {
            case Message.Accepted(Pending pending) -> arrive(pending);
            case Message.Raw raw -> journal(original(record));
            case Message.Due(Timer timer) -> due(timer);
            case Message.Tick tick -> pump();
            case Message.Answered answered -> throw misdirected(answered);
            case Message.Decided decided -> throw misdirected(decided);
        }
    }

    private void arrive(Pending pending) {
        switch (generate.arrive(stores(), pending, moment())) {
            case Generation.Ready(Pending ready) -> dispatchOrEnqueue(ready);
            case Generation.Settled(List<Fact> facts) -> apply(facts);
            case Generation.FirstAnswer answer -> acknowledge(answer);
        }
    }

    private void dispatchOrEnqueue(Pending pending) {
        if (open && !backlog && parts().gateway().reserve()) {
            apply(generate.dispatch(pending, true, parts().gateway().instance(), moment()));
        } else {
            backlog = true;
            apply(generate.enqueue(pending, moment()));
        }
    }

    private void journal(Original original) {
        JournalRecord record;
        try {
            record = Codecs.JOURNAL.decode(original.value() == null ? new byte[0] : original.value());
        } catch (CodecException unreadable) {
            reject(
                    original,
                    io.hellogpt.once.core.Rejection.of(
                            io.hellogpt.once.core.Rejection.Reason.MALFORMED, unreadable.getMessage()));
            return;
        }
        switch (record) {
            case JournalRecord.CallResult result -> result(original, result);
            case JournalRecord.Barrier(String id) -> barrier(id);
            case JournalRecord.Handover handover ->
                handover.calls()
                        .forEach(call -> apply(generate.onHandover(stores(), call, handover.instance(), moment())));
        }
    }

    private void result(Original original, JournalRecord.CallResult result) {
        switch (generate.onResult(stores(), result, moment())) {
            case Generation.Settled(List<Fact> facts) -> guarded(original, () -> facts);
            case Generation.FirstAnswer answer -> acknowledge(answer);
            case Generation.Ready ready -> dispatchOrEnqueue(ready.state());
        }
        if (backlog) {
            pump();
        }
    }

    private void acknowledge(Generation.FirstAnswer answer) {
        handOn(key(answer.state().id()), new Message.Answered(answer), Nodes.ACKNOWLEDGE);
    }

    private void barrier(String id) {
        if (open || !id.equals(barrier)) {
            return;
        }
        open = true;
        String instance = parts().gateway().instance();
        for (Timer timer : stores().timers().all(Timer.Kind.CALL_DEADLINE)) {
            generating(timer.id()).ifPresent(state -> apply(generate.onBarrier(state, instance, moment())));
        }
        pump();
    }

    private void due(Timer timer) {
        switch (timer.kind()) {
            case CALL_DEADLINE -> {
                // Until the barrier is read the result may stand in the journal unread; the timer fires again.
                if (open) {
                    generating(timer.id()).ifPresent(state -> apply(generate.onCallDeadline(state, moment())));
                }
            }
            case REQUEST_DEADLINE ->
                stores().state(timer.id())
                        .filter(state -> state instanceof Pending || state instanceof Generating)
                        .ifPresent(state -> apply(
                                generate.onRequestDeadline((io.hellogpt.once.core.RequestState.Open) state, moment())));
            case PENDING, EFFECT, HOLD, EXPIRY, STASH -> throw misdirected(new Message.Due(timer));
        }
    }

    /** Dispatches what waits, in arrival order, as long as there are slots; bounded, so that input goes on. */
    private void pump() {
        if (!open) {
            return;
        }
        List<Timer> waiting = stores().timers()
                .due(Timer.Kind.PENDING, moment().now(), parts().settings().timerBatch());
        for (Timer timer : waiting) {
            if (!parts().gateway().reserve()) {
                backlog = true;
                return;
            }
            Optional<Pending> pending =
                    stores().state(timer.id()).filter(Pending.class::isInstance).map(Pending.class::cast);
            if (pending.isPresent()) {
                apply(generate.dispatch(pending.get(), false, parts().gateway().instance(), moment()));
            } else {
                parts().gateway().release();
                applier().drop(timer);
            }
        }
        backlog = waiting.size() == parts().settings().timerBatch();
    }

    private Optional<Generating> generating(RequestId id) {
        return stores().state(id).filter(Generating.class::isInstance).map(Generating.class::cast);
    }

    private static IllegalStateException misdirected(Message message) {
        return new IllegalStateException(
                "generate does not take " + message.getClass().getSimpleName());
    }
}
