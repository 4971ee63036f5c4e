package io.hellogpt.once.core;

import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.Generate.Generation.FirstAnswer;
import io.hellogpt.once.core.RequestState.Open;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Stage 3: records the snapshot and decides from it alone what is to be done. */
public final class Acknowledge {
    private final ProtocolSettings settings;
    private final Function<String, Optional<DecisionPolicy>> policies;
    private final BillingPolicy billing;

    public Acknowledge(
            ProtocolSettings settings, Function<String, Optional<DecisionPolicy>> policies, BillingPolicy billing) {
        this.settings = settings;
        this.policies = policies;
        this.billing = billing;
    }

    /**
     * A request whose decision is recorded.
     *
     * @param transition the step so far; commit ends it
     */
    public record Decided(Transition transition, Open state) {}

    public Decided decide(FirstAnswer answer, Moment moment) {
        Generating state = answer.state();
        Snapshot snapshot = answer.snapshot();
        Transition transition = new Transition(answer.stored(), moment);
        answer.before().forEach(transition::add);
        transition.add(new Fact.RecordSnapshot(snapshot));
        Optional<PlannedEffect> bill = billing.bill(snapshot);
        Judgement judgement = judge(state.request(), snapshot);
        Open next = switch (judgement) {
            case Judgement.Made(Decision.Proceed proceed) ->
                state.acknowledged(snapshot, proceed, EffectPlan.of(bill, proceed.effects()), moment.now());
            case Judgement.Made(Decision.Hold hold) ->
                state.held(
                        Hold.of(Hold.Reason.APPROVAL, hold.reason()),
                        snapshot,
                        EffectPlan.of(bill, hold.effects()),
                        moment,
                        settings.holdTimeout());
            case Judgement.Made(Decision.Refuse refuse) ->
                state.refused(
                        new Failure(Failure.Reason.REFUSED, refuse.reason()), snapshot, EffectPlan.of(bill, List.of()));
            case Judgement.Broken(String detail) ->
                state.held(
                        Hold.of(Hold.Reason.POLICY_ERROR, detail),
                        snapshot,
                        EffectPlan.of(bill, List.of()),
                        moment,
                        settings.holdTimeout());
        };
        transition.log(
                next,
                next instanceof Held ? LifecycleEvent.Type.HELD : LifecycleEvent.Type.DECIDED,
                snapshot.attempt(),
                judgement.text());
        return new Decided(transition, next);
    }

    /**
     * The decision cannot be recorded, since it does not fit or made a defect show. The answer is paid for: it is recorded and
     * billed, none of its effects is carried out, and the request fails.
     */
    public Decided withoutEffects(FirstAnswer answer, String detail, Moment moment) {
        Transition transition = new Transition(answer.stored(), moment);
        answer.before().forEach(transition::add);
        transition.add(new Fact.RecordSnapshot(answer.snapshot()));
        Open next = answer.state()
                .refused(
                        new Failure(Failure.Reason.PROCESSING_ERROR, detail),
                        answer.snapshot(),
                        EffectPlan.of(billing.bill(answer.snapshot()), List.of()));
        transition.log(next, LifecycleEvent.Type.DECIDED, answer.snapshot().attempt(), detail);
        return new Decided(transition, next);
    }

    /** What the policy says, or what became of it. Also used when a person asks a broken policy to decide again. */
    Judgement judge(ModelRequest request, Snapshot snapshot) {
        Optional<DecisionPolicy> policy = policies.apply(request.policy());
        if (policy.isEmpty()) {
            return new Judgement.Broken("no policy is named '" + request.policy() + "'");
        }
        try {
            Decision decision = policy.get().decide(request, snapshot);
            return decision == null
                    ? new Judgement.Broken("policy '%s' gave no decision".formatted(request.policy()))
                    : new Judgement.Made(decision);
        } catch (RuntimeException broken) {
            // The answer is paid for: whatever a policy throws, the request waits for a person instead of failing.
            return new Judgement.Broken("policy '%s' threw %s".formatted(request.policy(), broken));
        }
    }

    /** The result of asking a policy. */
    sealed interface Judgement {
        String text();

        record Made(Decision decision) implements Judgement {
            @Override
            public String text() {
                return decision.reason();
            }
        }

        record Broken(String text) implements Judgement {}
    }
}
