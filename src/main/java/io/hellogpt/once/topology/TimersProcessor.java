package io.hellogpt.once.topology;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.Compensating;
import io.hellogpt.once.core.Expire;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The one punctuation that serves every timer of a task, a bounded batch of each kind at a time. It takes no records; it stands
 * behind receive so that it shares the task and its stores.
 */
final class TimersProcessor extends StageProcessor {
    private Cancellable look;
    private Cancellable commit;

    TimersProcessor(OnceTopology.Parts parts) {
        super(parts, Nodes.TIMERS);
    }

    @Override
    public void init(ProcessorContext<byte[], Object> context) {
        super.init(context);
        look = context.schedule(
                parts().settings().timerInterval(), PunctuationType.WALL_CLOCK_TIME, timestamp -> look());
        commit = context.schedule(
                parts().settings().commitSpacing(),
                PunctuationType.WALL_CLOCK_TIME,
                timestamp -> applier().commitIfDue());
    }

    @Override
    public void close() {
        look.cancel();
        commit.cancel();
    }

    @Override
    void handle(Record<byte[], Message> record) {
        throw new IllegalStateException("nothing is sent to " + Nodes.TIMERS);
    }

    private void look() {
        if (log().looks()) {
            long start = parts().ticker().getAsLong();
            log().begin(Optional.empty(), context());
            look(moment());
            log().endIfChanged(context());
            applier().stepped(parts().ticker().getAsLong() - start);
        }
    }

    private void look(Moment moment) {
        for (Timer.Kind kind : Timer.Kind.values()) {
            switch (kind) {
                case PENDING ->
                    context()
                            .forward(
                                    new Record<>(
                                            null,
                                            new Message.Tick(),
                                            moment.now().toEpochMilli()),
                                    Nodes.GENERATE);
                case CALL_DEADLINE, EFFECT, REQUEST_DEADLINE, HOLD -> fire(kind, moment.now());
                case EXPIRY -> expire(moment);
                case STASH -> unstash(moment);
            }
        }
    }

    private void fire(Timer.Kind kind, Instant now) {
        for (Timer timer : stores().timers().due(kind, now, parts().settings().timerBatch())) {
            Optional<RequestState> state = stores().state(timer.id());
            if (state.filter(known -> known.timers().contains(timer)).isEmpty()) {
                applier().drop(timer);
            } else {
                handOn(key(timer.id()), new Message.Due(timer), stageOf(state.get()));
            }
        }
    }

    private static String stageOf(RequestState state) {
        return switch (state) {
            case Pending pending -> Nodes.GENERATE;
            case Generating generating -> Nodes.GENERATE;
            case Acknowledged acknowledged -> Nodes.COMMIT;
            case Held held -> Nodes.COMMIT;
            case Compensating compensating -> Nodes.COMMIT;
            case Committed committed -> Nodes.COMMIT;
            case Failed failed -> Nodes.COMMIT;
        };
    }

    private void expire(Moment moment) {
        for (Timer timer : stores().timers()
                .due(Timer.Kind.EXPIRY, moment.streamTime(), parts().settings().timerBatch())) {
            step(Original.NONE, () -> Expire.onExpiry(stores().state(timer.id()), timer.id(), moment));
            applier().drop(timer);
        }
    }

    private void unstash(Moment moment) {
        for (Timer timer : stores().timers()
                .due(Timer.Kind.STASH, moment.now(), parts().settings().timerBatch())) {
            step(Original.NONE, () -> Expire.onStashTimer(stores().early(timer.id()), timer.id(), moment));
            applier().drop(timer);
        }
    }
}
