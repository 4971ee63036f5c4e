package io.hellogpt.once.core;

import io.hellogpt.once.core.RequestState.Ended;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of an accepted request when a step of it cannot be processed: a defect, or a record that does not fit. It neither
 * stops the partition nor vanishes nor repeats itself: without an answer the request fails, with one it is held for a person.
 */
public final class Rescue {
    private final ProtocolSettings settings;

    public Rescue(ProtocolSettings settings) {
        this.settings = settings;
    }

    /**
     * @param stored the state the step began with
     * @param detail what went wrong; no payload
     */
    public List<Fact> rescue(Optional<RequestState> stored, String detail, Moment moment) {
        if (stored.isEmpty()) {
            return List.of();
        }
        Transition transition = new Transition(stored, moment);
        Failure failure = new Failure(Failure.Reason.PROCESSING_ERROR, detail);
        return switch (stored.get()) {
            case Pending pending -> transition.fail(pending, failure, settings);
            case Generating generating ->
                transition.add(new Fact.CancelCall(generating.id())).fail(generating, failure, settings);
            case Acknowledged acknowledged -> hold(transition, hold(acknowledged, detail, moment));
            case Compensating compensating -> hold(transition, hold(compensating, detail, moment));
            case Held held -> hold(transition, postponed(held, moment));
            case Ended ended -> List.of();
        };
    }

    private Held hold(Acknowledged state, String detail, Moment moment) {
        return postponed(
                state.held(Hold.of(Hold.Reason.PROCESSING_ERROR, detail), moment, settings.holdTimeout()), moment);
    }

    private Held hold(Compensating state, String detail, Moment moment) {
        Hold hold = new Hold(Hold.Reason.PROCESSING_ERROR, detail, Optional.of(state.failure()));
        return postponed(state.held(hold, moment, settings.holdTimeout()), moment);
    }

    /** What is due would fail again at once, and again; it waits until the hold is reported. */
    private Held postponed(Held held, Moment moment) {
        Instant later = moment.now().plus(settings.holdTimeout());
        return held.with(held.plan().postponed(later)).reportedAgain(later);
    }

    /** The same facts, and what they keep of the words of receivers and errors is cut short: for a state that fits no record. */
    public static List<Fact> brief(List<Fact> facts) {
        return facts.stream().map(Rescue::brief).toList();
    }

    private static Fact brief(Fact fact) {
        return fact instanceof Fact.Save(var previous, Held held)
                ? new Fact.Save(previous, held.with(held.plan().brief()))
                : fact;
    }

    private static List<Fact> hold(Transition transition, Held held) {
        return transition
                .log(
                        held,
                        LifecycleEvent.Type.HELD,
                        0,
                        held.hold().reason() + ": " + held.hold().detail())
                .save(held);
    }
}
