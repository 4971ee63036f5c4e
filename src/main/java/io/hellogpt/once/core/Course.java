package io.hellogpt.once.core;

import io.hellogpt.once.core.RequestState.Open;
import java.util.List;
import java.util.Optional;

/** Takes a plan as far as it goes without hearing from the connector: forward to the commit, or back to the failure. */
final class Course {
    private final ProtocolSettings settings;
    private final Outbox outbox;

    Course(ProtocolSettings settings, Outbox outbox) {
        this.settings = settings;
        this.outbox = outbox;
    }

    List<Fact> advance(StoreView view, Transition transition, Open state) {
        Open billed = state.with(outbox.billing(transition, state));
        return switch (billed) {
            case Acknowledged acknowledged -> forward(view, transition, acknowledged);
            case Compensating compensating -> backward(view, transition, compensating);
            case Held held -> transition.save(held);
            case Pending pending -> transition.save(pending);
            case Generating generating -> transition.save(generating);
        };
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
        EffectPlan issued = outbox.stage(transition, state);
        Acknowledged next = state.with(issued);
        boolean done =
                issued.currentStage().isEmpty() && bill.map(Progress::isPassed).orElse(true);
        return done ? commit(view, transition, next) : transition.save(next);
    }

    private List<Fact> commit(StoreView view, Transition transition, Acknowledged state) {
        Committed committed = state.committed(transition.moment(), settings.dedupRetention());
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
        Acknowledged calm = state.with(state.plan().withoutRetries());
        if (calm.plan().decided().stream().anyMatch(step -> step.forward().isOut())) {
            return transition.save(calm);
        }
        return back(view, transition, calm, new Failure(Failure.Reason.EFFECT_FAILED, detail), Optional.empty());
    }

    private List<Fact> backward(StoreView view, Transition transition, Compensating state) {
        EffectPlan plan = state.plan().withoutRetries();
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
            case WAITING -> transition.save(state.with(outbox.compensation(transition, state, step)));
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

    private List<Fact> hold(Transition transition, Acknowledged state, Hold.Reason reason, String detail) {
        return hold(transition, state.held(Hold.of(reason, detail), transition.moment(), settings.holdTimeout()));
    }

    private List<Fact> hold(Transition transition, Compensating state, Hold.Reason reason, String detail) {
        Hold hold = new Hold(reason, detail, Optional.of(state.failure()));
        return hold(transition, state.held(hold, transition.moment(), settings.holdTimeout()));
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

    private static String detailOf(Progress progress) {
        return progress.detail().orElse("no detail");
    }
}
