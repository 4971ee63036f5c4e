package io.hellogpt.once.core;

import io.hellogpt.once.core.Acknowledge.Decided;
import io.hellogpt.once.core.Outcomes.Meaning;
import io.hellogpt.once.core.RequestState.Open;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stage 4: carries the plan forward, or back, and ends the request. */
public final class Commit {
    private final ProtocolSettings settings;
    private final Outcomes outcomes;
    private final Outbox outbox;
    private final Course course;

    public Commit(ProtocolSettings settings) {
        this.settings = settings;
        this.outcomes = new Outcomes(settings);
        this.outbox = new Outbox(settings);
        this.course = new Course(settings, outbox);
    }

    /** A decision was made in this step; go as far as it goes. */
    public List<Fact> settle(StoreView view, Decided decided) {
        return course.advance(view, decided.transition(), decided.state());
    }

    /** The connector reports what became of an attempt, or a receiver calls back. */
    public List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
        EffectId id = outcome.effectId();
        Optional<RequestState> known = view.state(id.requestId());
        if (known.isEmpty()) {
            return List.of(new Fact.Ignore(id.requestId(), Fact.Ignore.Reason.UNKNOWN_REQUEST));
        }
        RequestState state = known.get();
        Transition transition = new Transition(known, moment);
        return switch (meaning(state, outcome, moment)) {
            case Meaning.News(Progress next) -> news(view, transition, (Open) state, outcome, next);
            case Meaning.Nothing(Fact.Ignore.Reason reason) -> List.of(new Fact.Ignore(state.id(), reason));
            case Meaning.Late(Progress next, String why) ->
                note(transition, state, outcome, LifecycleEvent.Type.CALLBACK_LATE, why)
                        .add(new Fact.Ignore(state.id(), Fact.Ignore.Reason.LATE_OUTCOME))
                        .save(state.with(state.plan().with(id.step(), id.undo(), next)));
            case Meaning.Impossible(String why) ->
                note(transition, state, outcome, LifecycleEvent.Type.CALLBACK_REFUSED, "refused: " + why)
                        .facts();
        };
    }

    private Meaning meaning(RequestState state, EffectOutcome outcome, Moment moment) {
        EffectId id = outcome.effectId();
        if (!state.identity().receivedAt().equals(outcome.requestReceivedAt())) {
            return outcome.callbackId().isPresent()
                    ? new Meaning.Impossible("it is about an earlier request of this id")
                    : new Meaning.Nothing(Fact.Ignore.Reason.OTHER_LIFE);
        }
        Optional<Progress> progress = state.plan().step(id.step()).flatMap(step -> step.progressOf(id));
        return outcomes.of(progress, outcome, state instanceof RequestState.Ended, moment);
    }

    private List<Fact> news(StoreView view, Transition transition, Open open, EffectOutcome outcome, Progress next) {
        EffectId id = outcome.effectId();
        Open changed = open.with(open.plan().with(id.step(), id.undo(), next));
        note(
                transition,
                changed,
                outcome,
                LifecycleEvent.Type.EFFECT_OUTCOME,
                outcome.result() + ": " + outcome.detail());
        return course.advance(view, transition, resumed(transition, changed));
    }

    private static Transition note(
            Transition transition, RequestState state, EffectOutcome outcome, LifecycleEvent.Type type, String detail) {
        String text = outcome.callbackId()
                .map(callback -> "callback %s, %s".formatted(callback, detail))
                .orElse(detail);
        return transition.log(state, type, outcome.attempt(), Optional.of(outcome.effectId()), text, Optional.empty());
    }

    /** A request held for something that is wrong goes on by itself once nothing of the kind is. */
    private static Open resumed(Transition transition, Open state) {
        if (!(state instanceof Held held) || !held.isClear()) {
            return state;
        }
        Open next = held.goesOn("resumed: " + held.hold().detail(), transition.moment());
        transition.log(next, LifecycleEvent.Type.RESUMED, 0, held.hold().reason() + " is over");
        return next;
    }

    /** Something of the plan is due: a retry, an overdue outcome, a callback that never came. */
    public List<Fact> onEffectTimer(StoreView view, Open open, Moment moment) {
        Optional<Instant> due = open.plan().nextDue();
        if (due.filter(time -> time.isAfter(moment.now())).isPresent()) {
            return List.of(new Fact.Ignore(open.id(), Fact.Ignore.Reason.STALE_TIMER));
        }
        Transition transition = new Transition(Optional.of(open), moment);
        return course.advance(view, transition, open.with(outbox.whatIsDue(transition, open)));
    }

    /** The request's own deadline passed: what can be undone is undone; past the pivot only forward is left. */
    public List<Fact> onRequestDeadline(StoreView view, Acknowledged acknowledged, Moment moment) {
        if (acknowledged.plan().pastPivot()) {
            return List.of(new Fact.Ignore(acknowledged.id(), Fact.Ignore.Reason.STALE_TIMER));
        }
        Failure failure = new Failure(Failure.Reason.DEADLINE_EXCEEDED, "not committed by the request's deadline");
        return back(view, new Transition(Optional.of(acknowledged), moment), acknowledged, failure, Optional.empty());
    }

    /** A held request has waited long; it is reported again and goes on waiting. */
    public List<Fact> onHoldTimer(Held held, Moment moment) {
        Held again = held.reportedAgain(moment.now().plus(settings.holdTimeout()));
        Hold hold = held.hold();
        return new Transition(Optional.of(held), moment)
                .log(
                        again,
                        LifecycleEvent.Type.STILL_HELD,
                        0,
                        "%s since %s: %s".formatted(hold.reason(), held.heldAt(), hold.detail()))
                .save(again);
    }

    List<Fact> back(
            StoreView view, Transition transition, Acknowledged state, Failure failure, Optional<String> actor) {
        return course.back(view, transition, state, failure, actor);
    }

    List<Fact> advance(StoreView view, Transition transition, Open state) {
        return course.advance(view, transition, state);
    }
}
