package io.hellogpt.once.topology;

import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.schema.Codecs;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * What a task remembers besides its stores, and the record it makes of each of its steps: {@code task-steps}. Streams chooses
 * which input is next, when timers are looked at and what time it is; the gateway chooses who gets a slot. Written down in the
 * step's own transaction, those choices can be made again, and with them a replay is exact. Used by one task's thread only.
 */
final class StepLog {
    private final Surroundings surroundings;
    private final boolean recorded;
    private final DueTimes dueTimes = new DueTimes();
    private TaskStep.Start start = new TaskStep.Start("", "");
    private boolean open;

    private Optional<SourcePosition> source = Optional.empty();
    private Moment moment;
    private final Set<RequestId> requests = new LinkedHashSet<>();
    private final List<RequestId> dispatched = new ArrayList<>();
    private boolean atOnce;
    private int outputs;
    private boolean changed;

    StepLog(Surroundings surroundings, boolean recorded) {
        this.surroundings = surroundings;
        this.recorded = recorded;
    }

    /** A start of the task; also called when Streams revives it. */
    void started(String barrier, String instance) {
        remember(new Surroundings.Before(new TaskStep.Start(barrier, instance), false));
    }

    private void remember(Surroundings.Before before) {
        start = before.start();
        open = before.open();
    }

    /** What the task's processors know together of its timers. */
    DueTimes dueTimes() {
        return dueTimes;
    }

    String barrier() {
        return start.barrierId();
    }

    /** Nothing is dispatched, and no timer fires, before this start's barrier is read: an answer may be in the journal unread. */
    boolean open() {
        return open;
    }

    void openDispatch() {
        open = true;
        changed = true;
    }

    Optional<SourcePosition> read(ProcessingContext context) {
        return surroundings.source(context);
    }

    boolean looks() {
        return surroundings.looks(open);
    }

    void begin(Optional<SourcePosition> read, ProcessingContext context) {
        source = read;
        moment = surroundings.moment(context);
        surroundings.before().ifPresent(this::remember);
        atOnce = false;
        requests.clear();
        dispatched.clear();
        outputs = 0;
        changed = false;
    }

    Optional<SourcePosition> source() {
        return source;
    }

    Moment moment() {
        return moment;
    }

    /** Whether the request that was read is dispatched at once: as recorded, or else as the gateway has it. */
    boolean dispatchAtOnce(BooleanSupplier gateway) {
        atOnce = surroundings.dispatches().map(Surroundings.Dispatches::atOnce).orElseGet(gateway::getAsBoolean);
        return atOnce;
    }

    Optional<List<RequestId>> recordedDispatches() {
        return surroundings.dispatches().map(Surroundings.Dispatches::requests);
    }

    void dispatching(RequestId id) {
        dispatched.add(id);
    }

    void about(RequestId id) {
        requests.add(id);
    }

    void wrote() {
        outputs++;
        changed = true;
    }

    void changed() {
        changed = true;
    }

    void applied(Fact fact) {
        switch (fact) {
            case Fact.Save save -> changed(save.next().id());
            case Fact.Forget forget -> changed(forget.state().id());
            case Fact.RecordSnapshot recorded -> changed(recorded.snapshot().id());
            case Fact.Stash stash -> changed(stash.response().id());
            case Fact.Unstash unstash -> changed(unstash.response().id());
            case Fact.IssueEffect issued -> changed(issued.effect().id().requestId());
            case Fact.Commit committed -> changed(committed.result().state().id());
            case Fact.Fail failed -> changed(failed.state().id());
            case Fact.AnswerDuplicate answered ->
                changed(answered.duplicate().known().id());
            case Fact.Reject rejected -> rejected.rejection().id().ifPresent(this::changed);
            case Fact.Log logged -> changed(logged.event().id());
            case Fact.StartCall(var call) -> changed(call.id());
            case Fact.CancelCall cancelled -> about(cancelled.id());
            case Fact.Ignore ignored -> about(ignored.id());
        }
    }

    private void changed(RequestId id) {
        about(id);
        changed = true;
    }

    /** A look at the timers that found nothing to do leaves no record: there are twenty a second. */
    void endIfChanged(ProcessorContext<byte[], Object> context) {
        if (changed) {
            end(context);
        }
        source = Optional.empty();
    }

    void end(ProcessorContext<byte[], Object> context) {
        if (recorded) {
            record(context);
        }
        source = Optional.empty();
    }

    private void record(ProcessorContext<byte[], Object> context) {
        int partition = surroundings.partition(context);
        TaskStep step = new TaskStep(
                partition, source, moment, start, open, List.copyOf(requests), dispatched, atOnce, outputs);
        Record<byte[], Object> record = new Record<>(
                ByTask.key(partition),
                Codecs.TASK_STEP.encode(step),
                moment.now().toEpochMilli());
        context.forward(record, Nodes.sink(Topics.TASK_STEPS));
    }
}
