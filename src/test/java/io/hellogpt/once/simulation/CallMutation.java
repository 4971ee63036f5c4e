package io.hellogpt.once.simulation;

import io.hellogpt.once.core.CallInFlight;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.StoreView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Breakages of the model call, the stash and the snapshot. */
enum CallMutation implements Mutation {
    FORGET_THE_STASH(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.without(facts, Fact.Stash.class);
                }
            },
            "G2",
            "G4"),
    LET_THE_LAST_STASHED_ANSWER_WIN(
            () -> new Protocol() {
                @Override
                Generation onResult(StoreView view, JournalRecord.CallResult result, Moment moment) {
                    return view.state(result.id()).isEmpty()
                            ? new Generation.Settled(List.of(new Fact.Stash(new EarlyResponse.Result(
                                    result, moment.now().plus(SETTINGS.stashRetention())))))
                            : super.onResult(view, result, moment);
                }
            },
            "G2",
            "G4"),
    KEEP_THE_STASH_FOR_EVER(
            () -> new Protocol() {
                @Override
                List<Fact> onStashTimer(Optional<EarlyResponse> early, RequestId id, Moment moment) {
                    return List.of();
                }
            },
            "TIMERS"),
    IGNORE_HANDOVERS(
            () -> new Protocol() {
                @Override
                List<Fact> onHandover(
                        StoreView view, JournalRecord.RunningCall call, String instance, String self, Moment moment) {
                    return List.of();
                }
            },
            "G4"),
    REPEAT_WHAT_WAS_HANDED_OVER(
            () -> new Protocol() {
                @Override
                List<Fact> onBarrier(Generating g, String caller, Moment moment) {
                    CallInFlight call = g.call();
                    return super.onBarrier(
                            new Generating(
                                    g.identity(),
                                    g.request(),
                                    g.history(),
                                    new CallInFlight(call.startedAt(), call.deadline(), call.caller(), false)),
                            caller,
                            moment);
                }
            },
            "G4"),
    BELIEVE_ERRORS_OF_OLD_ATTEMPTS(
            () -> new Protocol() {
                @Override
                Generation onResult(StoreView view, JournalRecord.CallResult result, Moment moment) {
                    JournalRecord.CallResult believed = result instanceof JournalRecord.CallFailed failed
                                    && view.state(result.id()).orElse(null) instanceof Generating generating
                            ? new JournalRecord.CallFailed(
                                    failed.id(), 0, generating.attempt(), failed.life(), failed.error(), failed.at())
                            : result;
                    return super.onResult(view, believed, moment);
                }
            },
            "G4"),
    TAKE_ANSWERS_OF_THE_CURRENT_ATTEMPT_ONLY(
            () -> new Protocol() {
                @Override
                Generation onResult(StoreView view, JournalRecord.CallResult result, Moment moment) {
                    boolean late = view.state(result.id()).orElse(null) instanceof Generating generating
                            && generating.attempt() != result.attempt();
                    return late ? new Generation.Settled(List.of()) : super.onResult(view, result, moment);
                }
            },
            "G2",
            "G4"),
    RECORD_A_SECOND_SNAPSHOT(
            () -> new Protocol() {
                @Override
                Generation onResult(StoreView view, JournalRecord.CallResult result, Moment moment) {
                    boolean late = view.state(result.id())
                            .filter(state -> !(state instanceof Pending || state instanceof Generating))
                            .isPresent();
                    return late && result instanceof JournalRecord.Answered answered
                            ? new Generation.Settled(List.of(new Fact.RecordSnapshot(
                                    new Snapshot(answered.id(), 0, answered.attempt(), answered.answer()))))
                            : super.onResult(view, result, moment);
                }
            },
            "G2"),
    NEVER_MIND_THE_CALL_DEADLINE(
            () -> new Protocol() {
                @Override
                List<Fact> onCallDeadline(Generating generating, Moment moment) {
                    return List.of();
                }
            },
            "G1"),
    DECIDE_FROM_THE_ATTEMPT(
            () -> new Protocol() {
                @Override
                DecisionPolicy decisions(DecisionPolicy installed) {
                    return new DecisionPolicy() {
                        @Override
                        public String name() {
                            return installed.name();
                        }

                        @Override
                        public Decision decide(ModelRequest request, Snapshot snapshot) {
                            return snapshot.attempt() > 1
                                    ? new Decision.Proceed("skips its effects", List.of())
                                    : installed.decide(request, snapshot);
                        }
                    };
                }
            },
            "G2",
            "G3");

    private final Supplier<Protocol> broken;
    private final Set<String> caughtBy;

    CallMutation(Supplier<Protocol> broken, String... caughtBy) {
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
