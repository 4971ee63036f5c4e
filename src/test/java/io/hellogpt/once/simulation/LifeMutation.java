package io.hellogpt.once.simulation;

import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.JournalRecord.Answered;
import io.hellogpt.once.core.JournalRecord.CallFailed;
import io.hellogpt.once.core.JournalRecord.CallResult;
import io.hellogpt.once.core.Life;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.StoreView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Breakages of what tells the lives of one id apart, and one caller from another. */
enum LifeMutation implements Mutation {
    TAKE_ANSWERS_OF_OTHER_LIVES(
            () -> new Protocol() {
                @Override
                Generation onResult(StoreView view, CallResult result, Moment moment) {
                    CallResult mine = view.state(result.id())
                            .map(state -> of(result, state.identity()))
                            .orElse(result);
                    return super.onResult(view, mine, moment);
                }
            },
            "G2",
            "G4"),
    TAKE_ANSWERS_TO_OTHER_CONTENT(
            () -> new Protocol() {
                @Override
                Generation onResult(StoreView view, CallResult result, Moment moment) {
                    CallResult mine = view.state(result.id())
                            .filter(state -> state.identity().receivedAt().equals(result.requestReceivedAt()))
                            .map(state -> of(result, state.identity()))
                            .orElse(result);
                    return super.onResult(view, mine, moment);
                }
            },
            "G2",
            "G4"),
    TAKE_THE_STASH_OF_OTHER_LIVES(
            () -> new Protocol() {
                @Override
                Generation arrive(StoreView view, Pending pending, Moment moment) {
                    return super.arrive(new Renamed(view, pending.identity()), pending, moment);
                }
            },
            "G2",
            "G4"),
    TAKE_OUTCOMES_OF_OTHER_LIVES(
            () -> Broken.outcomes((state, outcome) -> new EffectOutcome(
                    outcome.effectId(),
                    outcome.attempt(),
                    outcome.result(),
                    outcome.detail(),
                    outcome.reference(),
                    outcome.retryAfter(),
                    outcome.deadline(),
                    outcome.at(),
                    state.identity().receivedAt(),
                    outcome.inDoubt(),
                    outcome.callbackId())),
            "G3",
            "G7",
            "AUDIT"),
    GIVE_A_CALL_BACK_TO_A_ZOMBIE(
            () -> new Protocol() {
                @Override
                List<Fact> onHandover(
                        StoreView view, JournalRecord.RunningCall call, String instance, String self, Moment moment) {
                    return super.onHandover(view, call, instance, "nobody", moment);
                }
            },
            "OWNER");

    /** A store whose early responses all look like those of one request. */
    private record Renamed(StoreView view, Identity identity) implements StoreView {
        @Override
        public Optional<RequestState> state(RequestId id) {
            return view.state(id);
        }

        @Override
        public Optional<Snapshot> snapshot(RequestId id) {
            return view.snapshot(id);
        }

        @Override
        public Optional<EarlyResponse> early(RequestId id) {
            return view.early(id)
                    .map(early -> early instanceof EarlyResponse.Result result
                            ? new EarlyResponse.Result(of(result.result(), identity), result.expiresAt())
                            : early);
        }
    }

    private static CallResult of(CallResult result, Identity identity) {
        Fingerprint fingerprint = identity.fingerprint();
        Life life = new Life(identity.receivedAt(), Optional.of(fingerprint));
        return switch (result) {
            case Answered answered ->
                new Answered(answered.id(), answered.turn(), answered.attempt(), life, answered.answer());
            case CallFailed failed ->
                new CallFailed(failed.id(), failed.turn(), failed.attempt(), life, failed.error(), failed.at());
        };
    }

    private final Supplier<Protocol> broken;
    private final Set<String> caughtBy;

    LifeMutation(Supplier<Protocol> broken, String... caughtBy) {
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
