package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.Compensating;
import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Hold;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.Receive.Reception;
import io.hellogpt.once.core.ReceivedRequest;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Bugs the protocol once had, put back. Each has its run in {@link RegressionRunsTest}. */
enum PastBug implements Mutation {
    /** The pivot succeeded while the request was being cancelled, and was failed with it. */
    FAIL_PAST_THE_PIVOT(
            () -> new Protocol() {
                @Override
                List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
                    List<Fact> facts = super.onOutcome(view, outcome, moment);
                    boolean turned = facts.stream()
                            .anyMatch(fact -> fact instanceof Fact.Log(var event)
                                    && event.detail().startsWith("only forward"));
                    return turned && facts.getLast() instanceof Fact.Save(var previous, Acknowledged state)
                            ? Facts.map(
                                    Broken.fail(state, moment),
                                    fact -> fact instanceof Fact.Save(var wrong, RequestState failed)
                                            ? new Fact.Save(previous, failed)
                                            : fact)
                            : facts;
                }
            },
            "G3",
            "G7"),
    /** A success after a person had said FAILED was ignored. */
    BELIEVE_A_PERSON_AGAINST_A_SUCCESS(
            () -> new Protocol() {
                @Override
                List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
                    boolean failed = view.state(outcome.effectId().requestId())
                            .flatMap(state -> Facts.progress(state, outcome.effectId()))
                            .filter(progress -> progress.status() == Progress.Status.FAILED)
                            .isPresent();
                    return failed && outcome.callbackId().isEmpty()
                            ? List.of()
                            : super.onOutcome(view, outcome, moment);
                }
            },
            "G3"),
    /** A late success started a second compensation beside the first. */
    COMPENSATE_A_LATE_SUCCESS_AT_ONCE(
            () -> new Protocol() {
                @Override
                List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
                    List<Fact> facts = super.onOutcome(view, outcome, moment);
                    return facts.getLast() instanceof Fact.Save(var previous, Compensating state)
                                    && outcome.result() == EffectOutcome.Result.SUCCEEDED
                            ? undoBeside(facts, state, outcome.effectId(), moment)
                            : facts;
                }
            },
            "G3"),
    /** A cancel went past a stuck compensation. */
    CANCEL_PAST_A_STUCK_COMPENSATION(
            () -> new Protocol() {
                @Override
                List<Fact> onCommand(StoreView view, OperatorCommand command, Moment moment) {
                    return command.verb() == OperatorCommand.Verb.CANCEL
                                    && view.state(command.requestId()).orElse(null) instanceof Held held
                                    && held.hold().reason() == Hold.Reason.COMPENSATION_STUCK
                            ? Broken.failed(held, command, moment)
                            : super.onCommand(view, command, moment);
                }
            },
            "G3",
            "G7"),
    /** The handover of an attempt whose dispatch was aborted was ignored. */
    IGNORE_HANDOVERS_OF_ABORTED_DISPATCHES(
            () -> new Protocol() {
                @Override
                List<Fact> onHandover(
                        StoreView view, JournalRecord.RunningCall call, String instance, String self, Moment moment) {
                    return attemptOf(view.state(call.id())) < call.attempt()
                            ? List.of()
                            : super.onHandover(view, call, instance, self, moment);
                }
            },
            "G4"),
    /** The error of a call whose dispatch was aborted was ignored, and what the provider had refused was called for again. */
    IGNORE_ERRORS_OF_ABORTED_DISPATCHES(
            () -> new Protocol() {
                @Override
                Generation onResult(StoreView view, JournalRecord.CallResult result, Moment moment) {
                    return result instanceof JournalRecord.CallFailed
                                    && view.state(result.id()).orElse(null) instanceof Pending
                            ? new Generation.Settled(List.of())
                            : super.onResult(view, result, moment);
                }
            },
            "G4"),
    /** A callback said that an effect had failed while another attempt of it was out, and that attempt succeeded. */
    BELIEVE_A_FAILED_CALLBACK_WHILE_AN_ATTEMPT_IS_OUT(
            () -> new Protocol() {
                @Override
                List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
                    List<Fact> facts = super.onOutcome(view, outcome, moment);
                    boolean waits = outcome.callbackId().isPresent()
                            && !facts.isEmpty()
                            && facts.getLast() instanceof Fact.Save(var previous, RequestState next)
                            && Facts.progress(next, outcome.effectId())
                                    .filter(progress -> progress.status() == Progress.Status.ISSUED
                                            && progress.attempts().refused())
                                    .isPresent();
                    return waits ? believed(view, facts, outcome, moment) : facts;
                }

                private List<Fact> believed(StoreView view, List<Fact> facts, EffectOutcome said, Moment moment) {
                    RequestState next = ((Fact.Save) facts.getLast()).next();
                    StoreView after = new StoreView() {
                        @Override
                        public Optional<RequestState> state(RequestId id) {
                            return Optional.of(next);
                        }

                        @Override
                        public Optional<Snapshot> snapshot(RequestId id) {
                            return view.snapshot(id);
                        }

                        @Override
                        public Optional<EarlyResponse> early(RequestId id) {
                            return view.early(id);
                        }
                    };
                    List<Fact> all = new ArrayList<>(facts);
                    super.onOutcome(after, Facts.ofAttempt(said, Facts.attempt(next, said.effectId())), moment).stream()
                            .filter(fact -> !(fact instanceof Fact.Log(LifecycleEvent event))
                                    || event.type() != LifecycleEvent.Type.EFFECT_OUTCOME)
                            .forEach(all::add);
                    return all;
                }
            },
            "G3"),
    /** A call was overdue before the barrier, and the request failed beside its answer. */
    FIRE_CALL_DEADLINES_BEFORE_THE_BARRIER(WorldMutation.FIRE_CALL_DEADLINES_BEFORE_THE_BARRIER::broken, "G4"),
    /** A duplicate made in the very moment the window began was run again. */
    ACCEPT_WHAT_WAS_MADE_AS_THE_WINDOW_BEGAN(
            () -> new Protocol() {
                @Override
                Reception receive(StoreView view, ReceivedRequest received, Moment moment) {
                    return super.receive(
                            view,
                            received,
                            new Moment(moment.now(), moment.streamTime().minusMillis(1)));
                }
            },
            "G1",
            "G4");

    private static int attemptOf(Optional<RequestState> state) {
        return switch (state.orElse(null)) {
            case null -> Integer.MAX_VALUE;
            case Pending pending -> pending.calls();
            case Generating generating -> generating.attempt();
            case RequestState other -> Integer.MAX_VALUE;
        };
    }

    /** Undoes what has just been heard of although another compensation is under way. */
    private static List<Fact> undoBeside(List<Fact> facts, Compensating state, EffectId heard, Moment moment) {
        boolean another = state.plan().steps().stream()
                .anyMatch(step -> step.step() != heard.step()
                        && step.undo()
                                .filter(undo -> undo.status() != Progress.Status.SUCCEEDED)
                                .isPresent());
        EffectStep step = state.plan().step(heard.step()).orElseThrow();
        if (heard.undo()
                || !another
                || step.undo().isPresent()
                || step.planned().compensation().isEmpty()) {
            return facts;
        }
        List<Fact> more = new ArrayList<>(facts);
        more.add(new Fact.IssueEffect(new Effect(
                heard.compensation(),
                step.planned().name(),
                step.planned().stage(),
                step.planned().compensation().get().route(),
                1,
                step.planned().compensation().get().payload(),
                moment.now(),
                state.identity().receivedAt())));
        return more;
    }

    private final Supplier<Protocol> broken;
    private final Set<String> caughtBy;

    PastBug(Supplier<Protocol> broken, String... caughtBy) {
        this.broken = broken;
        this.caughtBy = Set.of(caughtBy);
    }

    @Override
    public Protocol broken() {
        return broken.get();
    }

    @Override
    public Set<String> caughtBy() {
        return caughtBy;
    }
}
