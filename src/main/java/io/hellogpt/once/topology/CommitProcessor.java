package io.hellogpt.once.topology;

import io.hellogpt.once.core.Acknowledge;
import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.Commit;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Rescue;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.Codecs;
import java.util.List;
import org.apache.kafka.streams.processor.api.Record;

/** Stage 4: reads what became of effects, carries the plan on, and ends the request. */
final class CommitProcessor extends StageProcessor {
    private final Commit commit;
    private final Rescue rescue;

    CommitProcessor(OnceTopology.Parts parts, Commit commit, Rescue rescue) {
        super(parts, Nodes.COMMIT);
        this.commit = commit;
        this.rescue = rescue;
    }

    @Override
    void handle(Record<byte[], Message> record) {
        Original original = original(record);
        switch (record.value()) {
            case Message.Decided(var decided, var otherwise) ->
                step(
                        original,
                        () -> applier().roomy(commit.settle(stores(), decided)),
                        reason -> instead(original, otherwise.apply(reason), reason));
            case Message.Raw raw -> outcome(original);
            case Message.Due(Timer timer) ->
                step(original, () -> due(timer), reason -> rescue.rescue(stores().state(timer.id()), reason, moment()));
            case Message.Accepted accepted -> throw misdirected(accepted);
            case Message.Answered answered -> throw misdirected(answered);
            case Message.Tick tick -> throw misdirected(tick);
        }
    }

    /** The decision cannot be recorded: the answer is, without effects, or, when not even that fits, the request fails. */
    private List<Fact> instead(Original original, Acknowledge.Decided withoutEffects, String reason) {
        RequestId id = withoutEffects.state().id();
        List<Fact> facts = commit.settle(stores(), withoutEffects);
        return applier().fits(facts, original) ? facts : rescue.rescue(stores().state(id), reason, moment());
    }

    private void outcome(Original original) {
        EffectOutcome outcome;
        try {
            outcome = Codecs.EFFECT_OUTCOME.decode(original.value() == null ? new byte[0] : original.value());
        } catch (CodecException unreadable) {
            reject(original, Rejection.of(Rejection.Reason.MALFORMED, unreadable.getMessage()));
            return;
        }
        // An outcome that cannot be recorded would come again with every repetition of its attempt: a person is asked.
        step(
                original,
                () -> commit.onOutcome(stores(), outcome, moment()),
                reason -> rescue.rescue(stores().state(outcome.effectId().requestId()), reason, moment()));
    }

    private List<Fact> due(Timer timer) {
        RequestState state = stores().state(timer.id()).orElseThrow();
        return switch (state) {
            case Acknowledged acknowledged
            when timer.kind() == Timer.Kind.REQUEST_DEADLINE ->
                commit.onRequestDeadline(stores(), acknowledged, moment());
            case Held held when timer.kind() == Timer.Kind.HOLD -> commit.onHoldTimer(held, moment());
            case RequestState.Open open
            when timer.kind() == Timer.Kind.EFFECT -> commit.onEffectTimer(stores(), open, moment());
            case RequestState other -> List.of(new Fact.Ignore(timer.id(), Fact.Ignore.Reason.STALE_TIMER));
        };
    }

    private static IllegalStateException misdirected(Message message) {
        return new IllegalStateException(
                "commit does not take " + message.getClass().getSimpleName());
    }
}
