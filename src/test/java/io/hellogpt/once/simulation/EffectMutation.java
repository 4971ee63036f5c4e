package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.CommittedResult;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.StoreView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Breakages of attempts, outcomes, callbacks and probes. */
enum EffectMutation implements Mutation {
    SETTLE_TWICE(
            () -> new Protocol() {
                @Override
                List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
                    return view.state(outcome.effectId().requestId()).orElse(null) instanceof Committed committed
                            ? List.of(new Fact.Commit(new CommittedResult(
                                    committed, view.snapshot(committed.id()).orElseThrow())))
                            : super.onOutcome(view, outcome, moment);
                }
            },
            "G1"),
    FAIL_WHAT_IS_COMMITTED(
            () -> new Protocol() {
                @Override
                List<Fact> onCommand(StoreView view, OperatorCommand command, Moment moment) {
                    return view.state(command.requestId()).orElse(null) instanceof Committed s
                            ? List.of(new Fact.Fail(new Failed(
                                    s.identity(),
                                    Broken.FAILURE,
                                    Optional.of(s.snapshot()),
                                    s.plan(),
                                    s.endedAt(),
                                    s.expiresAt())))
                            : super.onCommand(view, command, moment);
                }
            },
            "G1"),
    MINT_EFFECT_IDS(
            () -> new Protocol() {
                private int minted;

                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.mapEffects(
                            facts,
                            effect -> Facts.with(
                                    effect,
                                    new EffectId(
                                            effect.id().requestId(),
                                            ++minted,
                                            effect.id().step(),
                                            effect.id().undo()),
                                    effect.attempt(),
                                    effect.payload()));
                }
            },
            "G3"),
    IGNORE_THE_ATTEMPT_OF_OUTCOMES(
            () -> Broken.outcomes((state, outcome) ->
                    Facts.with(outcome, Facts.attempt(state, outcome.effectId()), outcome.result())),
            "G3"),
    TAKE_ACCEPTED_FOR_DONE(() -> Broken.results(Result.AWAITING_CALLBACK, Result.SUCCEEDED), "G3"),
    GUESS_UNKNOWN_AS_SUCCESS(() -> Broken.results(Result.UNKNOWN, Result.SUCCEEDED), "G3"),
    GUESS_UNKNOWN_AS_FAILURE(() -> Broken.results(Result.UNKNOWN, Result.FAILED), "G3"),
    RETRY_UNKNOWN(() -> Broken.results(Result.UNKNOWN, Result.RETRYABLE), "G3"),
    NEVER_DOUBT(
            () -> Broken.outcomes((state, outcome) -> new EffectOutcome(
                    outcome.effectId(),
                    outcome.attempt(),
                    outcome.result(),
                    outcome.detail(),
                    outcome.reference(),
                    outcome.retryAfter(),
                    outcome.deadline(),
                    outcome.at(),
                    outcome.requestReceivedAt(),
                    false,
                    outcome.callbackId())),
            "G3"),
    RETRY_FAILED(() -> Broken.results(Result.FAILED, Result.RETRYABLE), "G3", "AUDIT"),
    TAKE_FAILED_FOR_DONE(() -> Broken.results(Result.FAILED, Result.SUCCEEDED), "G3", "G7"),
    GIVE_AN_OVERDUE_OUTCOME_A_NEW_ATTEMPT(
            () -> new Protocol() {
                @Override
                List<Fact> onEffectTimer(StoreView view, RequestState.Open open, Moment moment) {
                    return Facts.mapEffects(
                            super.onEffectTimer(view, open, moment),
                            effect -> Facts.with(
                                    effect, effect.id(), Facts.attempt(open, effect.id()) + 1, effect.payload()));
                }
            },
            "G3"),
    RETRY_AFTER_THE_ENDING(
            () -> new Protocol() {
                @Override
                List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
                    boolean ended = view.state(outcome.effectId().requestId())
                            .filter(RequestState.Ended.class::isInstance)
                            .isPresent();
                    return ended
                            ? List.of(new Fact.IssueEffect(new Effect(
                                    outcome.effectId(),
                                    "effect-" + outcome.effectId().step(),
                                    1,
                                    "route",
                                    outcome.attempt() + 1,
                                    "retried",
                                    moment.now(),
                                    moment.now())))
                            : super.onOutcome(view, outcome, moment);
                }
            },
            "G3"),
    NEVER_FIRE_EFFECT_TIMERS(
            () -> new Protocol() {
                @Override
                List<Fact> onEffectTimer(StoreView view, RequestState.Open open, Moment moment) {
                    return List.of();
                }
            },
            "G1");

    private final Supplier<Protocol> broken;
    private final Set<String> caughtBy;

    EffectMutation(Supplier<Protocol> broken, String... caughtBy) {
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
