package io.hellogpt.once.core;

import io.hellogpt.once.core.JournalRecord.Answered;
import io.hellogpt.once.core.JournalRecord.CallFailed;
import io.hellogpt.once.core.JournalRecord.CallResult;
import io.hellogpt.once.core.JournalRecord.RunningCall;
import io.hellogpt.once.core.RequestState.Open;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Stage 2: starts model calls, and takes the first valid answer as the snapshot. */
public final class Generate {
    private final ProtocolSettings settings;
    private final CallFailures failures;
    private final Stash stash;

    public Generate(ProtocolSettings settings) {
        this.settings = settings;
        this.failures = new CallFailures(settings);
        this.stash = new Stash(settings);
    }

    /** What an arrival or a journal record leads to. */
    public sealed interface Generation {
        /** Something to apply, and nothing more. */
        record Settled(List<Fact> facts) implements Generation {}

        /**
         * A new request nothing is known about yet: dispatch it now, or let it wait.
         *
         * @param before facts to apply ahead of either
         */
        record Ready(Pending state, List<Fact> before) implements Generation {}

        /**
         * The first valid answer.
         *
         * @param stored what the store holds of the request, empty when it was answered before it arrived
         * @param before facts to apply ahead of the decision's
         */
        record FirstAnswer(Optional<RequestState> stored, Generating state, Snapshot snapshot, List<Fact> before)
                implements Generation {}
    }

    /** An accepted request arrives; perhaps the journal spoke of it before. */
    public Generation arrive(StoreView view, Pending pending, Moment moment) {
        Optional<EarlyResponse> early = view.early(pending.id());
        if (early.isEmpty()) {
            return new Generation.Ready(pending, List.of());
        }
        Fact unstash = new Fact.Unstash(early.get());
        if (!early.get().life().map(life -> life.isOf(pending.identity())).orElse(true)) {
            Fact otherLife = new Fact.Ignore(pending.id(), Fact.Ignore.Reason.OTHER_LIFE);
            return new Generation.Ready(pending, List.of(unstash, otherLife));
        }
        return switch (early.get()) {
            case EarlyResponse.Result(CallResult result, Instant ignored) ->
                result(
                        Optional.empty(),
                        adopt(pending, result, moment),
                        result,
                        moment,
                        List.of(unstash, acceptedAfter(result, pending, moment)));
            case EarlyResponse.Running(RunningCall call, String instance, Instant ignored) -> {
                Generating adopted = pending.adopted(call.attempt(), moment.now(), call.deadline(), instance);
                yield new Generation.Settled(new Transition(Optional.empty(), moment)
                        .add(unstash)
                        .log(
                                adopted,
                                LifecycleEvent.Type.ACCEPTED,
                                call.attempt(),
                                "its call already runs at " + instance)
                        .save(adopted));
            }
        };
    }

    /** What follows is said of a request that is known: who counts what was accepted counts this. */
    private static Fact acceptedAfter(CallResult result, Pending pending, Moment moment) {
        return new Fact.Log(new LifecycleEvent(
                pending.id(),
                LifecycleEvent.Type.ACCEPTED,
                Optional.empty(),
                pending.status(),
                pending.identity().source(),
                result.attempt(),
                Optional.empty(),
                "call " + result.attempt() + " was over before",
                Optional.empty(),
                moment.now()));
    }

    /** A new request waits for a slot. */
    public List<Fact> enqueue(Pending pending, Moment moment) {
        return new Transition(Optional.empty(), moment)
                .log(pending, LifecycleEvent.Type.ACCEPTED, 0, "waits for a slot")
                .save(pending);
    }

    /**
     * Dispatches a request for which a slot is reserved.
     *
     * @param isNew the store does not hold it yet; it is accepted and dispatched in one step
     * @param caller the process that runs the call
     */
    public List<Fact> dispatch(Pending pending, boolean isNew, String caller, Moment moment) {
        Instant deadline = moment.now().plus(settings.callTimeout());
        Generating generating = pending.generating(moment.now(), deadline, caller);
        return new Transition(isNew ? Optional.empty() : Optional.of(pending), moment)
                .add(new Fact.StartCall(new ModelCall(
                        pending.request(),
                        0,
                        generating.attempt(),
                        Life.of(pending.identity()),
                        deadline,
                        pending.identity().trace())))
                .log(
                        generating,
                        isNew ? LifecycleEvent.Type.ACCEPTED : LifecycleEvent.Type.DISPATCHED,
                        generating.attempt(),
                        "call " + generating.attempt() + " at " + caller)
                .save(generating);
    }

    /** A result is read from the journal. */
    public Generation onResult(StoreView view, CallResult result, Moment moment) {
        Optional<RequestState> state = view.state(result.id());
        if (state.isEmpty()) {
            return new Generation.Settled(stash.result(view.early(result.id()), result, moment));
        }
        if (!result.life().isOf(state.get().identity())) {
            return ignored(result.id(), Fact.Ignore.Reason.OTHER_LIFE);
        }
        return switch (state.get()) {
            case Generating generating -> result(state, generating, result, moment, List.of());
            // An attempt whose dispatch was aborted with its transaction has been made all the same: its error counts.
            case Pending pending
            when result instanceof Answered || result.attempt() > pending.calls() ->
                result(state, adopt(pending, result, moment), result, moment, List.of());
            case Pending pending -> ignored(pending.id(), Fact.Ignore.Reason.LATE_ERROR);
            case RequestState known ->
                ignored(
                        known.id(),
                        result instanceof Answered ? Fact.Ignore.Reason.LATE_ANSWER : Fact.Ignore.Reason.LATE_ERROR);
        };
    }

    /**
     * A process has closed this task and still runs this call.
     *
     * @param instance that process
     * @param self this one. What it has itself called for again since is not given back: the record is a zombie's
     */
    public List<Fact> onHandover(StoreView view, RunningCall call, String instance, String self, Moment moment) {
        Optional<RequestState> state = view.state(call.id());
        if (state.isEmpty()) {
            return stash.running(view.early(call.id()), call, instance, moment);
        }
        RequestState known = state.get();
        if (!call.life().map(life -> life.isOf(known.identity())).orElse(true)) {
            return List.of(new Fact.Ignore(call.id(), Fact.Ignore.Reason.OTHER_LIFE));
        }
        Optional<Generating> handed = switch (known) {
            case Generating generating
            when isHandedOver(generating, call, instance, self) ->
                Optional.of(generating.handedOver(call.attempt(), call.deadline(), instance));
            case Pending pending
            when pending.calls() < call.attempt() ->
                Optional.of(pending.adopted(call.attempt(), moment.now(), call.deadline(), instance));
            case RequestState other -> Optional.empty();
        };
        return handed.map(next -> new Transition(state, moment)
                        .log(next, LifecycleEvent.Type.HANDED_OVER, call.attempt(), "still called by " + instance)
                        .save(next))
                .orElseGet(() -> List.of(new Fact.Ignore(call.id(), Fact.Ignore.Reason.LATE_HANDOVER)));
    }

    private static boolean isHandedOver(Generating generating, RunningCall call, String instance, String self) {
        // A higher attempt: its dispatch was aborted with its transaction, and yet it runs.
        if (generating.attempt() != call.attempt()) {
            return generating.attempt() < call.attempt();
        }
        String caller = generating.call().caller();
        return caller.equals(instance) || !caller.equals(self);
    }

    /**
     * The barrier is read: whatever was journaled is in. A call of a process that handed nothing over died with it.
     *
     * @param caller this process, whose own calls still run
     */
    public List<Fact> onBarrier(Generating generating, String caller, Moment moment) {
        CallInFlight call = generating.call();
        if (call.caller().equals(caller)) {
            return List.of();
        }
        boolean live = call.handedOver() && moment.now().isBefore(call.givenUpAt());
        return live ? List.of() : failures.lost(generating, moment, false, "its caller " + call.caller() + " is gone");
    }

    /** A call has given neither answer nor error in time. */
    public List<Fact> onCallDeadline(Generating generating, Moment moment) {
        CallInFlight call = generating.call();
        return moment.now().isBefore(call.givenUpAt())
                ? List.of(new Fact.Ignore(generating.id(), Fact.Ignore.Reason.STALE_TIMER))
                : failures.lost(generating, moment, true, "no result by its deadline " + call.deadline());
    }

    private Generation result(
            Optional<RequestState> stored, Generating state, CallResult result, Moment moment, List<Fact> before) {
        return switch (result) {
            case Answered answered -> answered(stored, state, answered, moment, before);
            case CallFailed failed
            when failed.attempt() < state.attempt() -> ignored(state.id(), Fact.Ignore.Reason.LATE_ERROR);
            case CallFailed failed ->
                new Generation.Settled(failures.failed(
                        new Transition(stored, moment).addAll(before),
                        ofThatAttempt(state, failed, moment),
                        failed.error()));
        };
    }

    /** A later attempt than the one known has been made by a caller whose dispatch of it was aborted; its error counts too. */
    private static Generating ofThatAttempt(Generating state, CallFailed failed, Moment moment) {
        return failed.attempt() == state.attempt()
                ? state
                : state.handedOver(failed.attempt(), moment.now(), "journal");
    }

    private Generation answered(
            Optional<RequestState> stored, Generating state, Answered answered, Moment moment, List<Fact> first) {
        // An earlier attempt's answer has won: the attempt that runs is not wanted any more.
        List<Fact> before = answered.attempt() == state.attempt()
                ? first
                : prepend(first, List.of(new Fact.CancelCall(state.id())));
        int size = answered.answer().body().length;
        if (size > settings.snapshotMaxBytes()) {
            Failure tooLarge = new Failure(
                    Failure.Reason.SNAPSHOT_TOO_LARGE,
                    "the answer has %d bytes, at most %d are recorded".formatted(size, settings.snapshotMaxBytes()));
            return new Generation.Settled(
                    new Transition(stored, moment).addAll(before).fail(state, tooLarge, settings));
        }
        Snapshot snapshot = new Snapshot(state.id(), answered.turn(), answered.attempt(), answered.answer());
        return new Generation.FirstAnswer(stored, state, snapshot, before);
    }

    private static Generating adopt(Pending pending, CallResult result, Moment moment) {
        return pending.adopted(result.attempt(), moment.now(), moment.now(), "journal");
    }

    private static Generation ignored(RequestId id, Fact.Ignore.Reason reason) {
        return new Generation.Settled(List.of(new Fact.Ignore(id, reason)));
    }

    private static List<Fact> prepend(List<Fact> before, List<Fact> facts) {
        return Stream.concat(before.stream(), facts.stream()).toList();
    }

    /** The request's own deadline passed before there was an answer. */
    public List<Fact> onRequestDeadline(Open open, Moment moment) {
        return new Transition(Optional.of(open), moment)
                .add(new Fact.CancelCall(open.id()))
                .fail(
                        open,
                        new Failure(Failure.Reason.DEADLINE_EXCEEDED, "no answer by the request's deadline"),
                        settings);
    }
}
