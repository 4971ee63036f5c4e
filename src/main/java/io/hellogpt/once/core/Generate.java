package io.hellogpt.once.core;

import io.hellogpt.once.core.JournalRecord.Answered;
import io.hellogpt.once.core.JournalRecord.CallFailed;
import io.hellogpt.once.core.JournalRecord.CallResult;
import io.hellogpt.once.core.JournalRecord.RunningCall;
import io.hellogpt.once.core.RequestState.Generating;
import io.hellogpt.once.core.RequestState.Open;
import io.hellogpt.once.core.RequestState.Pending;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stage 2: starts model calls, and takes the first valid answer as the snapshot. */
public final class Generate {
    private final ProtocolSettings settings;

    public Generate(ProtocolSettings settings) {
        this.settings = settings;
    }

    /** What an arrival or a journal record leads to. */
    public sealed interface Generation {
        /** Something to apply, and nothing more. */
        record Settled(List<Fact> facts) implements Generation {}

        /** A new request nothing is known about yet: dispatch it now, or let it wait. */
        record Ready(Pending state) implements Generation {}

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
            return new Generation.Ready(pending);
        }
        Fact unstash = new Fact.Unstash(early.get());
        return switch (early.get()) {
            case EarlyResponse.Result(CallResult result, Instant ignored) ->
                result(
                        Optional.of(pending),
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
                        pending.identity().receivedAt(),
                        deadline)))
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
            return new Generation.Settled(stash(view, result, moment));
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

    /** Another process closed this task and still runs this call. */
    public List<Fact> onHandover(StoreView view, RunningCall call, String instance, Moment moment) {
        Optional<RequestState> state = view.state(call.id());
        if (state.isEmpty()) {
            boolean answered = view.early(call.id())
                    .filter(EarlyResponse.Result.class::isInstance)
                    .isPresent();
            return answered
                    ? List.of()
                    : List.of(new Fact.Stash(new EarlyResponse.Running(
                            call, instance, moment.now().plus(settings.stashRetention()))));
        }
        Optional<Generating> handed = switch (state.get()) {
            // A higher attempt: its dispatch was aborted with its transaction, and yet it runs.
            case Generating generating
            when generating.attempt() <= call.attempt() ->
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

    /**
     * The barrier is read: whatever was journaled is in. A call of a process that handed nothing over died with it.
     *
     * @param caller this process, whose own calls still run
     */
    public List<Fact> onBarrier(Generating generating, String caller, Moment moment) {
        if (generating.caller().equals(caller)) {
            return List.of();
        }
        boolean live = generating.handedOver()
                && moment.now().isBefore(generating.deadline().plus(Generating.GRACE));
        return live ? List.of() : again(generating, moment, false, "its caller " + generating.caller() + " is gone");
    }

    /** A call has given neither answer nor error in time. */
    public List<Fact> onCallDeadline(Generating generating, Moment moment) {
        if (moment.now().isBefore(generating.deadline().plus(Generating.GRACE))) {
            return List.of(new Fact.Ignore(generating.id(), Fact.Ignore.Reason.STALE_TIMER));
        }
        return again(generating, moment, true, "no result by its deadline " + generating.deadline());
    }

    private List<Fact> again(Generating generating, Moment moment, boolean counts, String why) {
        Transition transition = new Transition(Optional.of(generating), moment);
        if (counts && settings.calls().exhausted(generating.failures() + 1)) {
            transition.add(new Fact.CancelCall(generating.id()));
            return transition.fail(generating, new Failure(Failure.Reason.MODEL_EXHAUSTED, why), settings);
        }
        Pending pending = generating.retryAt(moment.now(), counts, why);
        return transition
                .log(pending, LifecycleEvent.Type.CALL_LOST, generating.attempt(), why)
                .save(pending);
    }

    private Generation result(
            Optional<RequestState> stored, Generating state, CallResult result, Moment moment, List<Fact> before) {
        return switch (result) {
            case Answered answered -> answered(stored, state, answered, moment, before);
            case CallFailed failed
            when failed.attempt() != state.attempt() -> ignored(state.id(), Fact.Ignore.Reason.LATE_ERROR);
            case CallFailed failed ->
                new Generation.Settled(prepend(before, failed(stored, state, failed.error(), moment)));
        };
    }

    private Generation answered(
            Optional<RequestState> stored, Generating state, Answered answered, Moment moment, List<Fact> before) {
        if (answered.answer().body().length > settings.snapshotMaxBytes()) {
            Failure tooLarge = new Failure(
                    Failure.Reason.SNAPSHOT_TOO_LARGE,
                    "the answer has %d bytes, at most %d are recorded"
                            .formatted(answered.answer().body().length, settings.snapshotMaxBytes()));
            return new Generation.Settled(
                    prepend(before, new Transition(stored, moment).fail(state, tooLarge, settings)));
        }
        Snapshot snapshot = new Snapshot(state.id(), answered.turn(), answered.attempt(), answered.answer());
        return new Generation.FirstAnswer(stored, state, snapshot, before);
    }

    private List<Fact> failed(Optional<RequestState> stored, Generating state, CallError error, Moment moment) {
        Transition transition = new Transition(stored, moment);
        return switch (error.kind()) {
            case RETRYABLE -> retry(transition, state, error);
            case UNAUTHORIZED, ABANDONED ->
                wait(
                        transition,
                        state,
                        moment.now().plus(error.retryAfter().orElse(Duration.ZERO)),
                        false,
                        error.message());
            case REJECTED ->
                transition.fail(state, new Failure(Failure.Reason.MODEL_REJECTED, error.message()), settings);
            case TOO_LARGE ->
                transition.fail(state, new Failure(Failure.Reason.SNAPSHOT_TOO_LARGE, error.message()), settings);
        };
    }

    private List<Fact> retry(Transition transition, Generating state, CallError error) {
        int failures = state.failures() + 1;
        if (settings.calls().exhausted(failures)) {
            return transition.fail(
                    state,
                    new Failure(
                            Failure.Reason.MODEL_EXHAUSTED,
                            "%d attempts failed, the last one: %s".formatted(failures, error.message())),
                    settings);
        }
        Instant due = transition
                .moment()
                .now()
                .plus(settings.calls().delay(state.id().value(), failures, error.retryAfter()));
        return wait(transition, state, due, true, error.message());
    }

    private static List<Fact> wait(
            Transition transition, Generating state, Instant due, boolean counts, String message) {
        Pending pending = state.retryAt(due, counts, message);
        return transition
                .log(pending, LifecycleEvent.Type.CALL_FAILED, state.attempt(), message)
                .save(pending);
    }

    private List<Fact> stash(StoreView view, CallResult result, Moment moment) {
        boolean answeredBefore = view.early(result.id())
                .filter(early -> early instanceof EarlyResponse.Result known && known.result() instanceof Answered)
                .isPresent();
        return answeredBefore
                ? List.of(new Fact.Ignore(result.id(), Fact.Ignore.Reason.LATE_ANSWER))
                : List.of(new Fact.Stash(
                        new EarlyResponse.Result(result, moment.now().plus(settings.stashRetention()))));
    }

    private Generating adopt(Pending pending, CallResult result, Moment moment) {
        return pending.adopted(result.attempt(), moment.now(), moment.now(), "journal");
    }

    private static Generation ignored(RequestId id, Fact.Ignore.Reason reason) {
        return new Generation.Settled(List.of(new Fact.Ignore(id, reason)));
    }

    private static List<Fact> prepend(List<Fact> before, List<Fact> facts) {
        return java.util.stream.Stream.concat(before.stream(), facts.stream()).toList();
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
