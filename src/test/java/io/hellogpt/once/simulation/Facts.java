package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Compensating;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.RequestState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Ways to falsify what the stage functions say. */
final class Facts {
    private Facts() {}

    /** The facts without those of a type. */
    static List<Fact> without(List<Fact> facts, Class<? extends Fact> type) {
        return facts.stream().filter(fact -> !type.isInstance(fact)).toList();
    }

    static List<Fact> map(List<Fact> facts, UnaryOperator<Fact> change) {
        return facts.stream().map(change).toList();
    }

    static List<Fact> mapEffects(List<Fact> facts, UnaryOperator<Effect> change) {
        return map(
                facts,
                fact -> fact instanceof Fact.IssueEffect(Effect effect)
                        ? new Fact.IssueEffect(change.apply(effect))
                        : fact);
    }

    static List<Fact> mapSaved(List<Fact> facts, UnaryOperator<RequestState> change) {
        return map(
                facts,
                fact -> fact instanceof Fact.Save(var previous, var next)
                        ? new Fact.Save(previous, change.apply(next))
                        : fact);
    }

    static Effect with(Effect effect, EffectId id, int attempt, String payload) {
        return new Effect(
                id,
                effect.name(),
                effect.stage(),
                effect.route(),
                attempt,
                payload,
                effect.issuedAt(),
                effect.requestReceivedAt(),
                effect.probe());
    }

    static EffectOutcome with(EffectOutcome outcome, int attempt, EffectOutcome.Result result) {
        return new EffectOutcome(
                outcome.effectId(),
                attempt,
                result,
                outcome.detail(),
                outcome.reference(),
                outcome.retryAfter(),
                outcome.deadline(),
                outcome.at(),
                outcome.requestReceivedAt(),
                outcome.inDoubt(),
                outcome.callbackId());
    }

    /** The same, as if an attempt and not a callback had told it. */
    static EffectOutcome ofAttempt(EffectOutcome callback, int attempt) {
        return new EffectOutcome(
                callback.effectId(),
                attempt,
                callback.result(),
                callback.detail(),
                callback.reference(),
                callback.retryAfter(),
                callback.deadline(),
                callback.at(),
                callback.requestReceivedAt(),
                callback.inDoubt());
    }

    static RequestState mapSteps(RequestState state, UnaryOperator<EffectStep> change) {
        return state.with(
                new EffectPlan(state.plan().steps().stream().map(change).toList()));
    }

    static Optional<Progress> progress(RequestState state, EffectId id) {
        return state.plan().step(id.step()).flatMap(step -> id.undo() ? step.undo() : Optional.of(step.forward()));
    }

    /** The attempt the state is at, as far as this effect is concerned. */
    static int attempt(RequestState state, EffectId id) {
        return progress(state, id).map(Progress::attempt).orElse(0);
    }

    /** Where a compensation begins, replaces its step by another one that could be undone as well. */
    static List<Fact> undoAnother(List<Fact> facts, Function<List<EffectStep>, EffectStep> choice, boolean both) {
        Optional<Effect> issued = facts.stream()
                .filter(Fact.IssueEffect.class::isInstance)
                .map(fact -> ((Fact.IssueEffect) fact).effect())
                .filter(effect -> effect.id().undo() && effect.attempt() == 1)
                .findFirst();
        Optional<Compensating> state = facts.stream()
                .filter(Fact.Save.class::isInstance)
                .map(fact -> ((Fact.Save) fact).next())
                .filter(Compensating.class::isInstance)
                .map(Compensating.class::cast)
                .findFirst();
        if (issued.isEmpty() || state.isEmpty()) {
            return facts;
        }
        List<EffectStep> others = state.get().plan().steps().stream()
                .filter(step -> step.forward().status() == Progress.Status.SUCCEEDED
                        && step.planned().compensation().isPresent()
                        && step.undo().isEmpty())
                .toList();
        return others.isEmpty() ? facts : undo(facts, issued.get(), choice.apply(others), both);
    }

    private static List<Fact> undo(List<Fact> facts, Effect issued, EffectStep other, boolean both) {
        Effect instead = new Effect(
                new EffectId(issued.id().requestId(), 0, other.step(), true),
                other.planned().name(),
                other.planned().stage(),
                other.planned().compensation().orElseThrow().route(),
                1,
                issued.payload(),
                issued.issuedAt(),
                issued.requestReceivedAt());
        List<Fact> changed = new ArrayList<>();
        for (Fact fact : facts) {
            if (fact instanceof Fact.IssueEffect) {
                if (both) {
                    changed.add(fact);
                }
                changed.add(new Fact.IssueEffect(instead));
            } else if (fact instanceof Fact.Save(var previous, Compensating next)) {
                Optional<Progress> progress =
                        next.plan().step(issued.id().step()).orElseThrow().undo();
                changed.add(new Fact.Save(
                        previous,
                        mapSteps(
                                next,
                                step -> step.step() == other.step()
                                        ? new EffectStep(step.step(), step.planned(), step.forward(), progress)
                                        : step.step() == issued.id().step() && !both
                                                ? new EffectStep(
                                                        step.step(), step.planned(), step.forward(), Optional.empty())
                                                : step)));
            } else {
                changed.add(fact);
            }
        }
        return changed;
    }
}
