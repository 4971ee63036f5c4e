package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What several mutations need. */
final class Broken {
    private Broken() {}

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
        return outcomes(
                (state, outcome) -> outcome.result() == said ? Facts.with(outcome, outcome.attempt(), read) : outcome);
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

    static List<Fact> fail(RequestState.Open state, Moment moment) {
        Failed failed = state.failed(FAILURE, moment, Protocol.SETTINGS.dedupRetention());
        return List.of(new Fact.Fail(failed), new Fact.Save(Optional.of(state), failed));
    }

    /** Ends the request at a person's word. */
    static List<Fact> failed(RequestState.Open state, OperatorCommand command, Moment moment) {
        List<Fact> facts = new ArrayList<>(fail(state, moment));
        facts.addFirst(new Fact.Log(new LifecycleEvent(
                state.id(),
                LifecycleEvent.Type.COMMAND_APPLIED,
                Optional.of(state.status()),
                RequestState.Status.FAILED,
                state.identity().source(),
                0,
                Optional.empty(),
                command.verb() + ": " + command.reason(),
                Optional.of(command.actor()),
                moment.now())));
        return facts;
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
