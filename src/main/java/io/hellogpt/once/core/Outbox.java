package io.hellogpt.once.core;

import io.hellogpt.once.core.RequestState.Open;
import java.time.Instant;
import java.util.Optional;

/** Puts attempts of effects, and of their compensations, into the outbox. */
final class Outbox {
    private final ProtocolSettings settings;

    Outbox(ProtocolSettings settings) {
        this.settings = settings;
    }

    /** The plan once what is due of it is issued, asked about or given up. */
    EffectPlan whatIsDue(Transition transition, Open state) {
        EffectPlan plan = state.plan();
        for (EffectStep step : state.plan().steps()) {
            plan = whenDue(transition, state, plan, new Issue(step, false), Optional.of(step.forward()));
            plan = whenDue(transition, state, plan, new Issue(step, true), step.undo());
        }
        return plan;
    }

    /** Billing waits for nothing. */
    EffectPlan billing(Transition transition, Open state) {
        return state.plan()
                .billing()
                .filter(step -> step.forward().status() == Progress.Status.WAITING)
                .map(step -> issue(transition, state, state.plan(), new Issue(step, false)))
                .orElse(state.plan());
    }

    /** The effects of the current stage that were not issued yet. */
    EffectPlan stage(Transition transition, Acknowledged state) {
        EffectPlan plan = state.plan();
        int stage = plan.currentStage().orElse(-1);
        for (EffectStep step : plan.decided()) {
            if (step.planned().stage() == stage && step.forward().status() == Progress.Status.WAITING) {
                plan = issue(transition, state, plan, new Issue(step, false));
            }
        }
        return plan;
    }

    /** The first attempt of a compensation. */
    EffectPlan compensation(Transition transition, Open state, EffectStep step) {
        return issue(transition, state, state.plan(), new Issue(step, true));
    }

    /** An effect, or its compensation. */
    private record Issue(EffectStep step, boolean undo) {
        Progress progress() {
            return undo ? step.undo().orElse(Progress.WAITING) : step.forward();
        }

        EffectPlan in(EffectPlan plan, Progress next) {
            return plan.with(step.step(), undo, next);
        }
    }

    private EffectPlan whenDue(
            Transition transition, Open state, EffectPlan plan, Issue what, Optional<Progress> progress) {
        Instant now = transition.moment().now();
        if (progress.flatMap(Progress::dueAt).filter(due -> !due.isAfter(now)).isEmpty()) {
            return plan;
        }
        Progress due = progress.get();
        return switch (due.status()) {
            case RETRYING -> issue(transition, state, plan, what);
            case ISSUED -> overdue(transition, state, plan, what, due);
            case AWAITING_CALLBACK -> noCallback(transition, state, plan, what, due);
            case WAITING, SUCCEEDED, FAILED, UNKNOWN, SKIPPED -> plan;
        };
    }

    /** The ledger makes asking again safe; a probe that nobody answered is not sent twice. */
    private EffectPlan overdue(Transition transition, Open state, EffectPlan plan, Issue what, Progress due) {
        if (due.attempts().probe()) {
            return what.in(plan, unknown(due, "no answer to the probe by its deadline"));
        }
        send(transition, state, what, due.attempts());
        return what.in(plan, due.issuedAgain(overdueAt(transition)));
    }

    /** What the receiver took and never told the end of is asked about: once at least, and as often as is retried. */
    private EffectPlan noCallback(Transition transition, Open state, EffectPlan plan, Issue what, Progress due) {
        if (due.attempts().probe()
                && settings.effects().exhausted(due.attempts().counted())) {
            return what.in(plan, unknown(due, "no callback by its deadline, and the probes do not tell"));
        }
        Progress probed = due.probed(overdueAt(transition));
        send(transition, state, what, probed.attempts());
        return what.in(plan, probed);
    }

    private static Progress unknown(Progress due, String why) {
        return due.settled(Progress.Status.UNKNOWN, why, Optional.empty());
    }

    private EffectPlan issue(Transition transition, Open state, EffectPlan plan, Issue what) {
        Progress issued = what.progress().issued(overdueAt(transition));
        send(transition, state, what, issued.attempts());
        return what.in(plan, issued);
    }

    private Instant overdueAt(Transition transition) {
        return transition.moment().now().plus(settings.outcomeTimeout());
    }

    private static void send(Transition transition, Open state, Issue what, Attempts attempts) {
        EffectStep step = what.step();
        EffectId id = new EffectId(state.id(), 0, step.step(), what.undo());
        Compensation target = what.undo()
                ? step.planned().compensation().orElseThrow()
                : new Compensation(step.planned().route(), step.planned().payload());
        transition
                .add(new Fact.IssueEffect(new Effect(
                        id,
                        step.planned().name(),
                        step.planned().stage(),
                        target.route(),
                        attempts.last(),
                        target.payload(),
                        transition.moment().now(),
                        state.identity().receivedAt(),
                        attempts.probe(),
                        state.identity().trace())))
                .log(
                        state,
                        LifecycleEvent.Type.EFFECT_ISSUED,
                        attempts.last(),
                        Optional.of(id),
                        (attempts.probe() ? "probe to route " : "to route ") + target.route(),
                        Optional.empty());
    }
}
