package io.hellogpt.once.core;

import io.hellogpt.once.core.Acknowledge.Decided;
import io.hellogpt.once.core.RequestState.Acknowledged;
import io.hellogpt.once.core.RequestState.Compensating;
import io.hellogpt.once.core.RequestState.Generating;
import io.hellogpt.once.core.RequestState.Held;
import io.hellogpt.once.core.RequestState.Open;
import io.hellogpt.once.core.RequestState.Pending;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stage 4: carries the plan forward, or back, and ends the request. */
public final class Commit {
    private final ProtocolSettings settings;

    public Commit(ProtocolSettings settings) {
        this.settings = settings;
    }

    /** A decision was made in this step; go as far as it goes. */
    public List<Fact> settle(StoreView view, Decided decided) {
        return advance(view, decided.transition(), decided.state());
    }

    /** The connector reports what became of an attempt. */
    public List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
        EffectId id = outcome.effectId();
        Optional<RequestState> known = view.state(id.requestId());
        if (known.isEmpty()) {
            return List.of(new Fact.Ignore(id.requestId(), Fact.Ignore.Reason.UNKNOWN_REQUEST));
        }
        if (!(known.get() instanceof Open open)) {
            return late(id);
        }
        Optional<Progress> progress = open.plan().step(id.step()).flatMap(step -> step.progressOf(id));
        if (progress.isEmpty() || !tellsSomethingNew(progress.get(), outcome)) {
            return late(id);
        }
        EffectPlan plan = open.plan().with(id.step(), id.undo(), next(progress.get(), outcome, moment));
        Open changed = with(open, plan);
        Transition transition = new Transition(known, moment)
                .log(
                        changed,
                        LifecycleEvent.Type.EFFECT_OUTCOME,
                        outcome.attempt(),
                        Optional.of(id),
                        outcome.result() + ": " + outcome.detail(),
                        Optional.empty());
        return advance(view, transition, resumeIfClear(changed, moment));
    }

    /** Something of the plan is due: a retry, an overdue outcome, a callback that never came. */
    public List<Fact> onEffectTimer(StoreView view, Open open, Moment moment) {
        Optional<Instant> due = open.plan().nextDue();
        if (due.filter(time -> time.isAfter(moment.now())).isPresent()) {
            return List.of(new Fact.Ignore(open.id(), Fact.Ignore.Reason.STALE_TIMER));
        }
        Transition transition = new Transition(Optional.of(open), moment);
        EffectPlan plan = open.plan();
        for (EffectStep step : open.plan().steps()) {
            plan = whenDue(transition, open, plan, step, false, Optional.of(step.forward()));
            plan = whenDue(transition, open, plan, step, true, step.undo());
        }
        return advance(view, transition, with(open, plan));
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
        return new Transition(Optional.of(held), moment)
                .log(
                        again,
                        LifecycleEvent.Type.STILL_HELD,
                        0,
                        "%s since %s: %s"
                                .formatted(
                                        held.hold().reason(),
                                        held.heldAt(),
                                        held.hold().detail()))
                .save(again);
    }

    /** Turns round: nothing further is issued, what was carried out is undone. */
    List<Fact> back(
            StoreView view, Transition transition, Acknowledged state, Failure failure, Optional<String> actor) {
        Compensating compensating = state.compensating(failure);
        transition.log(
                compensating,
                LifecycleEvent.Type.COMPENSATING,
                0,
                Optional.empty(),
                failure.reason() + ": " + failure.detail(),
                actor);
        return advance(view, transition, compensating);
    }

    /** Goes as far as the plan allows without hearing from the connector. */
    List<Fact> advance(StoreView view, Transition transition, Open state) {
        Open billed = issueBilling(transition, state);
        return switch (billed) {
            case Acknowledged acknowledged -> forward(view, transition, acknowledged);
            case Compensating compensating -> backward(view, transition, compensating);
            case Held held -> transition.save(held);
            case Pending pending -> transition.save(pending);
            case Generating generating -> transition.save(generating);
        };
    }

    private List<Fact> forward(StoreView view, Transition transition, Acknowledged state) {
        EffectPlan plan = state.plan();
        if (plan.any(Progress.Status.UNKNOWN)) {
            return hold(transition, state, Hold.Reason.EFFECT_UNKNOWN, "the outcome of an effect cannot be known");
        }
        if (plan.any(Progress.Status.FAILED)) {
            return failed(view, transition, state);
        }
        Optional<Progress> bill = plan.billing().map(EffectStep::forward);
        if (bill.filter(Progress::isSettled)
                .filter(progress -> !progress.isPassed())
                .isPresent()) {
            return hold(transition, state, Hold.Reason.BILLING_FAILED, detailOf(bill.get()));
        }
        EffectPlan issued = issueStage(transition, state);
        Acknowledged next = state.with(issued);
        boolean done =
                issued.currentStage().isEmpty() && bill.map(Progress::isPassed).orElse(true);
        return done ? commit(view, transition, next) : transition.save(next);
    }

    private List<Fact> commit(StoreView view, Transition transition, Acknowledged state) {
        RequestState.Committed committed = state.committed(transition.moment(), settings.dedupRetention());
        Snapshot snapshot = transition
                .snapshot()
                .or(() -> view.snapshot(state.id()))
                .orElseThrow(() -> new IllegalStateException(
                        "request_id=" + state.id() + " is acknowledged but its snapshot is not in the store"));
        return transition
                .add(new Fact.Commit(new CommittedResult(committed, snapshot)))
                .log(committed, LifecycleEvent.Type.COMMITTED, 0, state.decision())
                .save(committed);
    }

    private List<Fact> failed(StoreView view, Transition transition, Acknowledged state) {
        EffectStep culprit = state.plan().decided().stream()
                .filter(step -> step.forward().status() == Progress.Status.FAILED)
                .findFirst()
                .orElseThrow();
        String detail = "effect " + culprit.planned().name() + ": " + detailOf(culprit.forward());
        if (state.plan().pastPivot()) {
            return hold(transition, state, Hold.Reason.EFFECT_FAILED, detail + " (past the pivot)");
        }
        Acknowledged calm = state.with(stopRetrying(state.plan()));
        if (calm.plan().decided().stream().anyMatch(step -> step.forward().isOut())) {
            return transition.save(calm);
        }
        return back(view, transition, calm, new Failure(Failure.Reason.EFFECT_FAILED, detail), Optional.empty());
    }

    private List<Fact> backward(StoreView view, Transition transition, Compensating state) {
        EffectPlan plan = stopRetrying(state.plan());
        Compensating calm = state.with(plan);
        if (plan.any(Progress.Status.UNKNOWN)) {
            return hold(transition, calm, Hold.Reason.EFFECT_UNKNOWN, "the outcome of an effect cannot be known");
        }
        if (plan.decided().stream().anyMatch(step -> step.forward().isOut())) {
            return transition.save(calm);
        }
        if (plan.pastPivot() && !plan.anyUndoBegun()) {
            return forwardAgain(view, transition, calm);
        }
        // A success heard of late must not start a second compensation beside one that is under way or stuck.
        Optional<EffectStep> next = plan.compensationBegun().or(plan::nextCompensation);
        if (next.isPresent()) {
            return undo(transition, calm, next.get());
        }
        Optional<Progress> bill = plan.billing().map(EffectStep::forward);
        if (bill.map(Progress::isPassed).orElse(true)) {
            return transition.fail(calm, calm.failure(), settings);
        }
        return bill.get().isSettled()
                ? hold(transition, calm, Hold.Reason.BILLING_FAILED, detailOf(bill.get()))
                : transition.save(calm);
    }

    /** The pivot was out when the request turned round, and has succeeded since: there is no way back any more. */
    private List<Fact> forwardAgain(StoreView view, Transition transition, Compensating state) {
        String why = "only forward, the pivot has succeeded; not "
                + state.failure().reason() + ": " + state.failure().detail();
        Acknowledged forward = state.forwardAgain(why, transition.moment().now());
        transition.log(forward, LifecycleEvent.Type.DECIDED, 0, why);
        return forward(view, transition, forward);
    }

    private List<Fact> undo(Transition transition, Compensating state, EffectStep step) {
        Progress progress = step.undo().orElse(Progress.WAITING);
        return switch (progress.status()) {
            case WAITING -> transition.save(state.with(issue(transition, state, state.plan(), step, true)));
            case ISSUED, RETRYING, AWAITING_CALLBACK -> transition.save(state);
            case FAILED, UNKNOWN ->
                hold(
                        transition,
                        state,
                        Hold.Reason.COMPENSATION_STUCK,
                        "undoing %s: %s".formatted(step.planned().name(), detailOf(progress)));
            case SUCCEEDED, SKIPPED ->
                throw new IllegalStateException("request_id=" + state.id() + " is asked to undo step " + step.step()
                        + " again, which is " + progress.status());
        };
    }

    private Open issueBilling(Transition transition, Open state) {
        return state.plan()
                .billing()
                .filter(step -> step.forward().status() == Progress.Status.WAITING)
                .map(step -> with(state, issue(transition, state, state.plan(), step, false)))
                .orElse(state);
    }

    private EffectPlan issueStage(Transition transition, Acknowledged state) {
        EffectPlan plan = state.plan();
        int stage = plan.currentStage().orElse(-1);
        for (EffectStep step : plan.decided()) {
            if (step.planned().stage() == stage && step.forward().status() == Progress.Status.WAITING) {
                plan = issue(transition, state, plan, step, false);
            }
        }
        return plan;
    }

    /** Puts the next attempt of an effect, or of its compensation, into the outbox. */
    private EffectPlan issue(Transition transition, Open state, EffectPlan plan, EffectStep step, boolean undo) {
        Progress before = undo ? step.undo().orElse(Progress.WAITING) : step.forward();
        Progress issued = before.issued(transition.moment().now().plus(settings.outcomeTimeout()));
        send(transition, state, step, undo, issued.attempt());
        return plan.with(step.step(), undo, issued);
    }

    private static void send(Transition transition, Open state, EffectStep step, boolean undo, int attempt) {
        EffectId id = new EffectId(state.id(), 0, step.step(), undo);
        Compensation target = undo
                ? step.planned().compensation().orElseThrow()
                : new Compensation(step.planned().route(), step.planned().payload());
        transition
                .add(new Fact.IssueEffect(new Effect(
                        id,
                        step.planned().name(),
                        step.planned().stage(),
                        target.route(),
                        attempt,
                        target.payload(),
                        transition.moment().now(),
                        state.identity().receivedAt())))
                .log(
                        state,
                        LifecycleEvent.Type.EFFECT_ISSUED,
                        attempt,
                        Optional.of(id),
                        "to route " + target.route(),
                        Optional.empty());
    }

    private EffectPlan whenDue(
            Transition transition,
            Open state,
            EffectPlan plan,
            EffectStep step,
            boolean undo,
            Optional<Progress> progress) {
        Instant now = transition.moment().now();
        if (progress.flatMap(Progress::dueAt).filter(due -> !due.isAfter(now)).isEmpty()) {
            return plan;
        }
        Progress due = progress.get();
        return switch (due.status()) {
            case RETRYING -> issue(transition, state, plan, step, undo);
            case ISSUED -> {
                send(transition, state, step, undo, due.attempt());
                yield plan.with(step.step(), undo, due.issuedAgain(now.plus(settings.outcomeTimeout())));
            }
            case AWAITING_CALLBACK ->
                plan.with(
                        step.step(),
                        undo,
                        due.settled(Progress.Status.UNKNOWN, "no callback by its deadline", Optional.empty()));
            case WAITING, SUCCEEDED, FAILED, UNKNOWN, SKIPPED -> plan;
        };
    }

    private Progress next(Progress before, EffectOutcome outcome, Moment moment) {
        return switch (outcome.result()) {
            case SUCCEEDED -> before.settled(Progress.Status.SUCCEEDED, outcome.detail(), outcome.reference());
            case FAILED, MALFORMED -> before.settled(Progress.Status.FAILED, outcome.detail(), outcome.reference());
            case UNKNOWN -> before.settled(Progress.Status.UNKNOWN, outcome.detail(), outcome.reference());
            case AWAITING_CALLBACK ->
                before.awaitingCallback(
                        outcome.deadline().orElse(moment.now().plus(settings.outcomeTimeout())), outcome.detail());
            case RETRYABLE -> {
                if (settings.effects().exhausted(before.attempt())) {
                    // What may have been carried out must not be called failed: nobody would undo it.
                    yield before.settled(
                            outcome.inDoubt() ? Progress.Status.UNKNOWN : Progress.Status.FAILED,
                            "%d attempts, the last one: %s".formatted(before.attempt(), outcome.detail()),
                            outcome.reference());
                }
                yield before.retrying(
                        moment.now()
                                .plus(settings.effects()
                                        .delay(outcome.effectId().toString(), before.attempt(), outcome.retryAfter())),
                        outcome.detail(),
                        outcome.inDoubt());
            }
        };
    }

    /**
     * A success counts whichever attempt it belongs to, and whatever was believed before, even by a person: what was carried out
     * must be undone when the request goes back. Anything else counts only when it is about the current attempt.
     */
    private static boolean tellsSomethingNew(Progress progress, EffectOutcome outcome) {
        boolean succeeded = outcome.result() == EffectOutcome.Result.SUCCEEDED;
        return switch (progress.status()) {
            case ISSUED, AWAITING_CALLBACK -> succeeded || outcome.attempt() == progress.attempt();
            case RETRYING, FAILED -> succeeded;
            case UNKNOWN -> succeeded || outcome.result() == EffectOutcome.Result.FAILED;
            case WAITING, SUCCEEDED, SKIPPED -> false;
        };
    }

    /** A request held for an unknown outcome goes on by itself once the outcome has become known. */
    Open resumeIfClear(Open state, Moment moment) {
        if (state instanceof Held held && isClear(held)) {
            return held.hold()
                    .failure()
                    .<Open>map(held::compensating)
                    .orElseGet(() -> held.resumed("resumed: " + held.hold().detail(), held.plan(), moment.now()));
        }
        return state;
    }

    private static boolean isClear(Held held) {
        return switch (held.hold().reason()) {
            case EFFECT_UNKNOWN -> !held.plan().any(Progress.Status.UNKNOWN);
            case BILLING_FAILED ->
                held.plan().billing().map(step -> step.forward().isPassed()).orElse(true);
            case COMPENSATION_STUCK ->
                held.plan().steps().stream()
                        .flatMap(step -> step.undo().stream())
                        .noneMatch(progress -> progress.isSettled() && !progress.isPassed());
            case APPROVAL, POLICY_ERROR, EFFECT_FAILED, PROCESSING_ERROR -> false;
        };
    }

    private List<Fact> hold(Transition transition, Open state, Hold.Reason reason, String detail) {
        Moment moment = transition.moment();
        Held held = switch (state) {
            case Acknowledged acknowledged ->
                acknowledged.held(Hold.of(reason, detail), moment, settings.holdTimeout());
            case Compensating compensating ->
                compensating.held(
                        new Hold(reason, detail, Optional.of(compensating.failure())), moment, settings.holdTimeout());
            case Held already -> already;
            case Pending pending -> throw nothingToHold(pending);
            case Generating generating -> throw nothingToHold(generating);
        };
        return transition
                .log(held, LifecycleEvent.Type.HELD, 0, reason + ": " + detail)
                .save(held);
    }

    private static IllegalStateException nothingToHold(Open open) {
        return new IllegalStateException(
                "request_id=" + open.id() + " is " + open.status() + " and has no plan to hold");
    }

    /** What certainly was not carried out will not be tried again once the request goes back. */
    private static EffectPlan stopRetrying(EffectPlan plan) {
        EffectPlan calm = plan;
        for (EffectStep step : plan.decided()) {
            if (step.forward().status() == Progress.Status.RETRYING
                    && !step.forward().inDoubt()) {
                calm = calm.with(
                        step.step(),
                        false,
                        step.forward()
                                .settled(
                                        Progress.Status.FAILED,
                                        "not tried again: the request goes back",
                                        Optional.empty()));
            }
        }
        return calm;
    }

    private static Open with(Open open, EffectPlan plan) {
        return switch (open) {
            case Acknowledged acknowledged -> acknowledged.with(plan);
            case Compensating compensating -> compensating.with(plan);
            case Held held -> held.with(plan);
            case Pending pending -> pending;
            case Generating generating -> generating;
        };
    }

    private static String detailOf(Progress progress) {
        return progress.detail().orElse("no detail");
    }

    private static List<Fact> late(EffectId id) {
        return List.of(new Fact.Ignore(id.requestId(), Fact.Ignore.Reason.LATE_OUTCOME));
    }
}
