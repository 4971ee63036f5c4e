package io.hellogpt.once.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Collects the facts of one step of one request. The state is saved once, last: from what the store holds to where the step
 * ended, however many states it passed through.
 */
final class Transition {
    private final Optional<RequestState> stored;
    private final Moment moment;
    private final Optional<OperatorCommand> command;
    private final List<Fact> facts = new ArrayList<>();
    private Optional<RequestState.Status> current;

    /** @param stored what the store holds, empty for a new request */
    Transition(Optional<RequestState> stored, Moment moment) {
        this(stored, moment, Optional.empty());
    }

    private Transition(Optional<RequestState> stored, Moment moment, Optional<OperatorCommand> command) {
        this.stored = stored;
        this.command = command;
        this.moment = moment;
        this.current = stored.map(RequestState::status);
    }

    /** A step that a person asked for: wherever it ends, the request remembers the command. */
    static Transition by(OperatorCommand command, Optional<RequestState> stored, Moment moment) {
        return new Transition(stored, moment, Optional.of(command));
    }

    Moment moment() {
        return moment;
    }

    /** The facts of a step that leaves the state as it is. */
    List<Fact> facts() {
        return List.copyOf(facts);
    }

    Transition add(Fact fact) {
        if (fact instanceof Fact.Log(LifecycleEvent event)) {
            // What was said of the request before is where it comes from, whether or not the store has heard of it yet.
            current = Optional.of(event.to());
        }
        facts.add(fact);
        return this;
    }

    Transition addAll(List<Fact> more) {
        more.forEach(this::add);
        return this;
    }

    /** The snapshot recorded in this very step, which the store does not hold yet. */
    Optional<Snapshot> snapshot() {
        return facts.stream()
                .filter(Fact.RecordSnapshot.class::isInstance)
                .map(fact -> ((Fact.RecordSnapshot) fact).snapshot())
                .findFirst();
    }

    /** Notes a move to {@code next}. */
    Transition log(RequestState next, LifecycleEvent.Type type, int attempt, String detail) {
        return log(next, type, attempt, Optional.empty(), detail, Optional.empty());
    }

    Transition log(
            RequestState next,
            LifecycleEvent.Type type,
            int attempt,
            Optional<EffectId> effectId,
            String detail,
            Optional<String> actor) {
        facts.add(new Fact.Log(new LifecycleEvent(
                next.id(),
                type,
                current,
                next.status(),
                next.identity().source(),
                attempt,
                effectId,
                detail,
                actor,
                moment.now())));
        current = Optional.of(next.status());
        return this;
    }

    /** Ends the step in {@code last}. */
    List<Fact> save(RequestState last) {
        facts.add(new Fact.Save(stored, remembering(last)));
        return List.copyOf(facts);
    }

    private RequestState remembering(RequestState last) {
        return command.map(given -> last.with(last.identity().heard(given.commandId())))
                .orElse(last);
    }

    /** Ends the request as failed: its terminal record, its audit line, its state. */
    List<Fact> fail(RequestState.Open open, Failure failure, ProtocolSettings settings) {
        Failed failed = open.failed(failure, moment, settings.dedupRetention());
        facts.add(new Fact.Fail(failed));
        return log(failed, LifecycleEvent.Type.FAILED, 0, failure.reason() + ": " + failure.detail())
                .save(failed);
    }
}
