package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.DuplicateRequest;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.Receive.Reception;
import io.hellogpt.once.core.ReceivedRequest;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.StoreView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Breakages of intake, dedup and its window. */
enum DedupMutation implements Mutation {
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
            "BOUNDED");

    private final Supplier<Protocol> broken;
    private final Set<String> caughtBy;

    DedupMutation(Supplier<Protocol> broken, String... caughtBy) {
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
