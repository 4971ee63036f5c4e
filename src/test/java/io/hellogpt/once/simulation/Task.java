package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.Receive.Reception;
import io.hellogpt.once.core.ReceivedRequest;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import java.util.List;
import java.util.Optional;

/**
 * One start of the task in one process: what the processors of {@code topology} do, with its memory of barrier and backlog, which
 * is lost when the task is closed.
 */
final class Task {
    private static final int BATCH = 2;

    private final World world;
    private final Protocol protocol;
    private final Stores stores;
    private final Jvm jvm;
    private final String barrier;
    private final Applier applier;
    private boolean open;
    private boolean backlog = true;

    Task(World world, Jvm jvm, String barrier) {
        this.world = world;
        this.protocol = world.protocol();
        this.stores = world.stores();
        this.jvm = jvm;
        this.barrier = barrier;
        this.applier = new Applier(world, jvm);
    }

    /** The task begins: its barrier is written behind all that was journaled. */
    void init() {
        world.processes().write(jvm, new JournalRecord.Barrier(barrier));
        if (!protocol.awaitsBarrier()) {
            open();
        }
    }

    Jvm jvm() {
        return jvm;
    }

    boolean isOpen() {
        return open;
    }

    private Moment moment() {
        return world.moment(jvm);
    }

    void request(Sent sent) {
        ReceivedRequest received =
                new ReceivedRequest(sent.request(), sent.fingerprint(), sent.position(), sent.appendedAt());
        switch (protocol.receive(stores, received, moment())) {
            case Reception.Settled(List<Fact> facts) -> apply(facts);
            case Reception.Accepted(Pending pending) -> arrive(pending);
        }
    }

    private void arrive(Pending pending) {
        switch (protocol.arrive(stores, pending, moment())) {
            case Generation.Ready ready -> dispatchOrEnqueue(ready);
            case Generation.Settled(List<Fact> facts) -> apply(facts);
            case Generation.FirstAnswer answer -> decide(answer);
        }
    }

    /** What was stashed for another request of the id is of no use. */
    private void drop(List<Fact> before) {
        apply(before);
        for (Fact fact : before) {
            if (fact instanceof Fact.Unstash(EarlyResponse response)) {
                world.invariants().stashDropped(response);
            }
        }
    }

    /** What does not fit into a record is not carried out; the answer is recorded and billed all the same. */
    private void decide(Generation.FirstAnswer answer) {
        List<Fact> facts = protocol.decide(stores, answer, moment());
        boolean fits = facts.stream().noneMatch(Kind::isOversize);
        apply(fits ? facts : protocol.decideWithoutEffects(stores, answer, moment()));
    }

    private void dispatchOrEnqueue(Generation.Ready ready) {
        drop(ready.before());
        Pending pending = ready.state();
        boolean early = !open && !protocol.newRequestsAwaitBarrier();
        if ((early || (open && !backlog)) && jvm.hasSlot()) {
            apply(protocol.dispatch(pending, true, jvm.instance(), moment()));
        } else {
            backlog = true;
            apply(protocol.enqueue(pending, moment()));
        }
    }

    void journal(JournalRecord record) {
        switch (record) {
            case JournalRecord.CallResult result -> result(result);
            case JournalRecord.Barrier(String id) -> {
                if (!open && id.equals(barrier)) {
                    open();
                }
            }
            case JournalRecord.Handover handover ->
                handover.calls()
                        .forEach(call -> apply(
                                protocol.onHandover(stores, call, handover.instance(), jvm.instance(), moment())));
        }
    }

    private void result(JournalRecord.CallResult result) {
        switch (protocol.onResult(stores, result, moment())) {
            case Generation.Settled(List<Fact> facts) -> apply(facts);
            case Generation.FirstAnswer answer -> decide(answer);
            case Generation.Ready ready -> dispatchOrEnqueue(ready);
        }
        if (backlog) {
            pump();
        }
    }

    private void open() {
        open = true;
        for (Timer timer : stores.all(Timer.Kind.CALL_DEADLINE)) {
            generating(timer.id()).ifPresent(state -> apply(protocol.onBarrier(state, jvm.instance(), moment())));
        }
        pump();
    }

    /** Dispatches what waits, in arrival order, as long as there are slots. */
    void pump() {
        if (!open) {
            return;
        }
        List<Timer> waiting = stores.due(Timer.Kind.PENDING, moment().now(), BATCH);
        for (Timer timer : waiting) {
            if (!jvm.hasSlot()) {
                backlog = true;
                return;
            }
            Optional<Pending> pending =
                    stores.state(timer.id()).filter(Pending.class::isInstance).map(Pending.class::cast);
            if (pending.isPresent()) {
                apply(protocol.dispatch(pending.get(), false, jvm.instance(), moment()));
            } else {
                stores.delete(timer);
            }
        }
        backlog = waiting.size() == BATCH;
    }

    private Optional<Generating> generating(RequestId id) {
        return stores.state(id).filter(Generating.class::isInstance).map(Generating.class::cast);
    }

    void outcome(EffectOutcome outcome) {
        apply(protocol.onOutcome(stores, outcome, moment()));
    }

    void command(OperatorCommand command) {
        apply(protocol.onCommand(stores, command, moment()));
    }

    /** A due timer fires, as the one punctuation fires it. */
    void fire(Timer timer) {
        switch (timer.kind()) {
            case PENDING -> pump();
            case CALL_DEADLINE, EFFECT, REQUEST_DEADLINE, HOLD -> {
                Optional<RequestState> state = stores.state(timer.id());
                if (state.filter(known -> known.timers().contains(timer)).isEmpty()) {
                    stores.delete(timer);
                } else {
                    fire(timer, state.get());
                }
            }
            case EXPIRY -> {
                apply(protocol.onExpiry(stores.state(timer.id()), timer.id(), moment()));
                stores.delete(timer);
            }
            case STASH -> {
                Optional<EarlyResponse> early = stores.early(timer.id());
                apply(protocol.onStashTimer(early, timer.id(), moment()));
                early.ifPresent(world.invariants()::stashDropped);
                stores.delete(timer);
            }
        }
    }

    private void fire(Timer timer, RequestState state) {
        switch (state) {
            case Pending pending -> beforeAnswer(timer, pending);
            case Generating generating
            when timer.kind() == Timer.Kind.CALL_DEADLINE -> {
                // Until the barrier is read the result may stand in the journal unread.
                if (open || !protocol.callDeadlinesAwaitBarrier()) {
                    apply(protocol.onCallDeadline(generating, moment()));
                }
            }
            case Generating generating -> beforeAnswer(timer, generating);
            case RequestState.Open known
            when timer.kind() == Timer.Kind.EFFECT -> apply(protocol.onEffectTimer(stores, known, moment()));
            case Acknowledged known
            when timer.kind() == Timer.Kind.REQUEST_DEADLINE ->
                apply(protocol.onRequestDeadline(stores, known, moment()));
            case Held held when timer.kind() == Timer.Kind.HOLD -> apply(protocol.onHoldTimer(held, moment()));
            case RequestState other -> {
                // commit ignores it as stale
            }
        }
    }

    private void beforeAnswer(Timer timer, RequestState.Open state) {
        if (timer.kind() == Timer.Kind.REQUEST_DEADLINE) {
            apply(protocol.beforeAnswer(state, moment()));
        }
    }

    private void apply(List<Fact> decided) {
        applier.apply(decided);
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        return List.of(jvm.instance(), open, backlog);
    }
}
