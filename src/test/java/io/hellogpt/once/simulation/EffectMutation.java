package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.CommittedResult;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Breakages of decision, effects, compensation, billing and the ending. */
enum EffectMutation implements Mutation {
    COMMIT_AT_THE_DECISION(
            () -> new Protocol() {
                @Override
                List<Fact> decide(StoreView view, Generation.FirstAnswer answer, Moment moment) {
                    List<Fact> facts = new ArrayList<>(super.decide(view, answer, moment));
                    if (facts.getLast() instanceof Fact.Save(var previous, Acknowledged state)) {
                        Committed committed = Broken.committed(state, moment);
                        facts.removeLast();
                        facts.add(new Fact.Commit(new CommittedResult(committed, answer.snapshot())));
                        facts.add(new Fact.Save(previous, committed));
                    }
                    return facts;
                }
            },
            "G3",
            "G7"),
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
    ISSUE_FROM_ANOTHER_ANSWER(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.mapEffects(
                            facts, effect -> Facts.with(effect, effect.id(), effect.attempt(), "another answer"));
                }
            },
            "G2"),
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
    RETRY_FAILED(() -> Broken.results(Result.FAILED, Result.RETRYABLE), "G3"),
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
    ISSUE_ALL_STAGES_AT_ONCE(
            () -> new Protocol() {
                @Override
                DecisionPolicy decisions(DecisionPolicy installed) {
                    return Broken.policy(
                            installed,
                            effect -> new PlannedEffect(
                                    effect.name(),
                                    effect.route(),
                                    1,
                                    effect.payload(),
                                    effect.compensation(),
                                    effect.pivot()));
                }

                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.mapEffects(
                            facts,
                            effect -> effect.name().equals("effect-3")
                                    ? new Effect(
                                            effect.id(),
                                            effect.name(),
                                            2,
                                            effect.route(),
                                            effect.attempt(),
                                            effect.payload(),
                                            effect.issuedAt(),
                                            effect.requestReceivedAt())
                                    : effect);
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
    COMPENSATE_IN_FORWARD_ORDER(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.undoAnother(facts, List::getFirst, false);
                }
            },
            "G3"),
    COMPENSATE_ALL_AT_ONCE(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.undoAnother(facts, List::getLast, true);
                }
            },
            "G3"),
    COMPENSATE_NOTHING(
            () -> new Protocol() {
                @Override
                DecisionPolicy decisions(DecisionPolicy installed) {
                    return Broken.policy(
                            installed,
                            effect -> new PlannedEffect(
                                    effect.name(),
                                    effect.route(),
                                    effect.stage(),
                                    effect.payload(),
                                    Optional.empty(),
                                    effect.pivot()));
                }
            },
            "G3"),
    FORGET_THE_PIVOT(
            () -> new Protocol() {
                @Override
                DecisionPolicy decisions(DecisionPolicy installed) {
                    return Broken.policy(
                            installed,
                            effect -> new PlannedEffect(
                                    effect.name(),
                                    effect.route(),
                                    effect.stage(),
                                    effect.payload(),
                                    effect.compensation(),
                                    false));
                }
            },
            "G3"),
    CANCEL_AND_FORGET_WHAT_IS_OUT(
            () -> new Protocol() {
                @Override
                List<Fact> onCommand(StoreView view, OperatorCommand command, Moment moment) {
                    return command.verb() == OperatorCommand.Verb.CANCEL
                                    && view.state(command.requestId()).orElse(null) instanceof Acknowledged s
                            ? Broken.fail(s, moment)
                            : super.onCommand(view, command, moment);
                }
            },
            "G3",
            "G7"),
    END_AT_THE_DEADLINE_WHATEVER_IS_OUT(
            () -> new Protocol() {
                @Override
                List<Fact> onRequestDeadline(StoreView view, Acknowledged state, Moment moment) {
                    return Broken.fail(state, moment);
                }
            },
            "G3",
            "G7"),
    NEVER_FIRE_EFFECT_TIMERS(
            () -> new Protocol() {
                @Override
                List<Fact> onEffectTimer(StoreView view, RequestState.Open open, Moment moment) {
                    return List.of();
                }
            },
            "G1"),
    APPROVE_WITHOUT_A_PERSON(
            () -> new Protocol() {
                @Override
                DecisionPolicy decisions(DecisionPolicy installed) {
                    return Broken.decisions(
                            installed,
                            decision -> decision instanceof Decision.Hold hold
                                    ? new Decision.Proceed(hold.reason(), hold.effects())
                                    : decision);
                }
            },
            "G3"),
    ACT_ON_A_REFUSED_ANSWER(
            () -> new Protocol() {
                @Override
                DecisionPolicy decisions(DecisionPolicy installed) {
                    return Broken.decisions(
                            installed,
                            decision -> decision instanceof Decision.Refuse refuse
                                    ? new Decision.Proceed(
                                            refuse.reason(),
                                            List.of(new PlannedEffect(
                                                    "effect-1", "route", 1, "refused", Optional.empty(), false)))
                                    : decision);
                }
            },
            "G2",
            "G3"),
    COMMIT_A_REFUSED_ANSWER(
            () -> new Protocol() {
                @Override
                DecisionPolicy decisions(DecisionPolicy installed) {
                    return Broken.decisions(
                            installed,
                            decision -> decision instanceof Decision.Refuse refuse
                                    ? new Decision.Proceed(refuse.reason(), List.of())
                                    : decision);
                }
            },
            "G2"),
    SKIP_BILLING(
            () -> new Protocol() {
                @Override
                BillingPolicy billing(BillingPolicy installed) {
                    return BillingPolicy.NONE;
                }
            },
            "G7"),
    BILL_ONLY_WHAT_COMMITS(
            () -> new Protocol() {
                @Override
                BillingPolicy billing(BillingPolicy installed) {
                    return snapshot -> snapshot.attempt() > 1 ? Optional.empty() : installed.bill(snapshot);
                }
            },
            "G7"),
    COMMIT_ANOTHER_ANSWER(
            () -> new Protocol() {
                private Snapshot last;

                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.map(facts, fact -> switch (fact) {
                        case Fact.RecordSnapshot(Snapshot snapshot) -> {
                            last = snapshot;
                            yield fact;
                        }
                        case Fact.Commit(CommittedResult result) ->
                            new Fact.Commit(new CommittedResult(result.state(), last));
                        case Fact other -> other;
                    });
                }
            },
            "G2");

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

    /** What several of them need. */
    private static final class Broken {
        static final Failure FAILURE = new Failure(Failure.Reason.PROCESSING_ERROR, "broken");

        /** Reads something else than what an outcome says. */
        interface Misreading {
            EffectOutcome read(RequestState state, EffectOutcome outcome);
        }

        static Protocol outcomes(Misreading misreading) {
            return new Protocol() {
                @Override
                List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
                    EffectOutcome read = view.state(outcome.effectId().requestId())
                            .map(state -> misreading.read(state, outcome))
                            .orElse(outcome);
                    return super.onOutcome(view, read, moment);
                }
            };
        }

        static Protocol results(Result said, Result read) {
            return outcomes((state, outcome) ->
                    outcome.result() == said ? Facts.with(outcome, outcome.attempt(), read) : outcome);
        }

        static Committed committed(Acknowledged state, Moment moment) {
            return new Committed(
                    state.identity(),
                    state.snapshot(),
                    state.decision(),
                    state.plan(),
                    moment.now(),
                    moment.streamTime().plus(Protocol.SETTINGS.dedupRetention()));
        }

        static List<Fact> fail(Acknowledged state, Moment moment) {
            Failed failed = state.failed(FAILURE, moment, Protocol.SETTINGS.dedupRetention());
            return List.of(new Fact.Fail(failed), new Fact.Save(Optional.of(state), failed));
        }

        static DecisionPolicy policy(DecisionPolicy installed, UnaryOperator<PlannedEffect> change) {
            return decisions(installed, decision -> switch (decision) {
                case Decision.Proceed(String reason, List<PlannedEffect> effects) ->
                    new Decision.Proceed(reason, effects.stream().map(change).toList());
                case Decision.Hold(String reason, List<PlannedEffect> effects) ->
                    new Decision.Hold(reason, effects.stream().map(change).toList());
                case Decision.Refuse refuse -> refuse;
            });
        }

        static DecisionPolicy decisions(DecisionPolicy installed, UnaryOperator<Decision> change) {
            return new DecisionPolicy() {
                @Override
                public String name() {
                    return installed.name();
                }

                @Override
                public Decision decide(ModelRequest request, Snapshot snapshot) {
                    return change.apply(installed.decide(request, snapshot));
                }
            };
        }
    }
}
