package io.hellogpt.once.simulation;

import io.hellogpt.once.core.CallInFlight;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.DuplicateRequest;
import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.Receive.Reception;
import io.hellogpt.once.core.ReceivedRequest;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.StoreView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Breakages of dedup, of the model call and of the snapshot. */
enum CallMutation implements Mutation {
    COMPARE_NO_FINGERPRINT(
            () -> new Protocol() {
                @Override
                Reception receive(StoreView view, ReceivedRequest received, Moment moment) {
                    ReceivedRequest same = view.state(received.id())
                            .map(known -> new ReceivedRequest(
                                    received.request(),
                                    known.identity().fingerprint(),
                                    received.source(),
                                    received.receivedAt()))
                            .orElse(received);
                    return super.receive(view, same, moment);
                }
            },
            "G6"),
    RESUME_AS_DUPLICATE(
            () -> new Protocol() {
                @Override
                Reception receive(StoreView view, ReceivedRequest received, Moment moment) {
                    Optional<RequestState> known = view.state(received.id());
                    boolean resumption = known.filter(
                                    state -> state.identity().source().equals(received.source()))
                            .isPresent();
                    return resumption
                            ? new Reception.Settled(List.of(new Fact.AnswerDuplicate(new DuplicateRequest(
                                    received.source(), moment.now(), known.get(), Optional.empty()))))
                            : super.receive(view, received, moment);
                }
            },
            "G5"),
    DROP_DUPLICATES_SILENTLY(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.without(facts, Fact.AnswerDuplicate.class);
                }
            },
            "G5"),
    DROP_REJECTIONS_SILENTLY(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.without(facts, Fact.Reject.class);
                }
            },
            "G5"),
    ANSWER_DUPLICATES_WITHOUT_THE_RESULT(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.map(
                            facts,
                            fact -> fact instanceof Fact.AnswerDuplicate(DuplicateRequest duplicate)
                                    ? new Fact.AnswerDuplicate(new DuplicateRequest(
                                            duplicate.source(), duplicate.at(), duplicate.known(), Optional.empty()))
                                    : fact);
                }
            },
            "G1"),
    REFUSE_A_CONFLICT_WITHOUT_FINGERPRINTS(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.map(
                            facts,
                            fact -> fact instanceof Fact.Reject(Rejection rejection, var source)
                                    ? new Fact.Reject(Rejection.of(rejection.reason(), rejection.detail()), source)
                                    : fact);
                }
            },
            "G6"),
    ACCEPT_WHAT_MAY_HAVE_BEEN_FORGOTTEN(
            () -> new Protocol() {
                @Override
                Reception receive(StoreView view, ReceivedRequest received, Moment moment) {
                    return super.receive(view, received, new Moment(moment.now(), Instant.EPOCH));
                }
            },
            "G1"),
    FORGET_TOO_EARLY(
            () -> new Protocol(new ProtocolSettings(
                    Duration.ofMinutes(5),
                    Protocol.SETTINGS.callTimeout(),
                    Protocol.SETTINGS.calls(),
                    Protocol.SETTINGS.effects(),
                    Protocol.SETTINGS.outcomeTimeout(),
                    Protocol.SETTINGS.holdTimeout(),
                    Protocol.SETTINGS.stashRetention(),
                    Protocol.SETTINGS.snapshotMaxBytes())),
            "EXPIRY",
            "G5"),
    COUNT_THE_WINDOW_FROM_RECEIPT(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.mapSaved(
                            facts,
                            state -> state instanceof Committed s
                                    ? new Committed(
                                            s.identity(),
                                            s.snapshot(),
                                            s.decision(),
                                            s.plan(),
                                            s.endedAt(),
                                            s.identity().receivedAt().plus(SETTINGS.dedupRetention()))
                                    : state);
                }
            },
            "EXPIRY"),
    NEVER_FORGET(
            () -> new Protocol() {
                @Override
                List<Fact> onExpiry(Optional<RequestState> state, RequestId id, Moment moment) {
                    return List.of();
                }
            },
            "TIMERS"),
    EXPIRE_UNFINISHED(
            () -> new Protocol() {
                @Override
                List<Fact> onHoldTimer(Held held, Moment moment) {
                    return List.of(new Fact.Forget(held.failed(Broken.FAILURE, moment, SETTINGS.dedupRetention())));
                }
            },
            "EXPIRY",
            "BOUNDED"),
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

    /** What broken protocols give as their reason. */
    private static final class Broken {
        static final io.hellogpt.once.core.Failure FAILURE =
                new io.hellogpt.once.core.Failure(io.hellogpt.once.core.Failure.Reason.PROCESSING_ERROR, "broken");
    }
}
