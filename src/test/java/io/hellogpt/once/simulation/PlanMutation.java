package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.CommittedResult;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Breakages of decision, stages, compensation, billing and the ending. */
enum PlanMutation implements Mutation {
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
    ISSUE_FROM_ANOTHER_ANSWER(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.mapEffects(
                            facts, effect -> Facts.with(effect, effect.id(), effect.attempt(), "another answer"));
                }
            },
            "G2"),
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

    PlanMutation(Supplier<Protocol> broken, String... caughtBy) {
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
