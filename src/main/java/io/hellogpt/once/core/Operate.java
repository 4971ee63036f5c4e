package io.hellogpt.once.core;

import io.hellogpt.once.core.Acknowledge.Judgement;
import io.hellogpt.once.core.RequestState.Acknowledged;
import io.hellogpt.once.core.RequestState.Compensating;
import io.hellogpt.once.core.RequestState.Generating;
import io.hellogpt.once.core.RequestState.Held;
import io.hellogpt.once.core.RequestState.Open;
import io.hellogpt.once.core.RequestState.Pending;
import java.util.List;
import java.util.Optional;

/** What a person may do to one request. What is not possible is refused with the reason, on the audit log. */
public final class Operate {
    private final ProtocolSettings settings;
    private final Acknowledge acknowledge;
    private final Commit commit;

    public Operate(ProtocolSettings settings, Acknowledge acknowledge, Commit commit) {
        this.settings = settings;
        this.acknowledge = acknowledge;
        this.commit = commit;
    }

    public List<Fact> onCommand(StoreView view, OperatorCommand command, Moment moment) {
        Optional<RequestState> known = view.state(command.requestId());
        if (known.isEmpty()) {
            return List.of(new Fact.Ignore(command.requestId(), Fact.Ignore.Reason.UNKNOWN_REQUEST));
        }
        Step step = new Step(view, command, moment, new Transition(known, moment));
        return switch (known.get()) {
            case Open open ->
                switch (command.verb()) {
                    case RETRY -> retry(step, open);
                    case CANCEL -> cancel(step, open);
                    case APPROVE -> approve(step, open);
                    case REJECT -> reject(step, open);
                    case RESOLVE_SUCCEEDED -> resolve(step, open, Progress.Status.SUCCEEDED);
                    case RESOLVE_FAILED -> resolve(step, open, Progress.Status.FAILED);
                    case SKIP -> resolve(step, open, Progress.Status.SKIPPED);
                };
            case RequestState.Ended ended ->
                List.of(refusal(step, ended, "the request has ended as " + ended.status()));
        };
    }

    private record Step(StoreView view, OperatorCommand command, Moment moment, Transition transition) {
        Step note(RequestState next) {
            transition.log(
                    next,
                    LifecycleEvent.Type.COMMAND_APPLIED,
                    0,
                    command.effectId(),
                    command.verb() + ": " + command.reason(),
                    Optional.of(command.actor()));
            return this;
        }
    }

    private List<Fact> retry(Step step, Open open) {
        return switch (open) {
            case Pending pending -> {
                Pending now = new Pending(
                        pending.identity(),
                        pending.request(),
                        pending.calls(),
                        0,
                        step.moment().now(),
                        pending.lastError());
                yield step.note(now).transition().save(now);
            }
            case Held held when held.hold().reason() == Hold.Reason.POLICY_ERROR -> decideAgain(step, held);
            case Held held -> retryStuck(step, held);
            case Generating generating -> refused(step, generating, "a call is in flight");
            case Acknowledged acknowledged -> refused(step, acknowledged, "its effects are being carried out");
            case Compensating compensating -> refused(step, compensating, "its compensations are being carried out");
        };
    }

    private List<Fact> decideAgain(Step step, Held held) {
        Snapshot snapshot = step.view().snapshot(held.id()).orElseThrow();
        Judgement judgement = acknowledge.judge(held.request().orElseThrow(), snapshot);
        Optional<Decision.PlannedEffect> bill = Optional.empty();
        Open next = switch (judgement) {
            case Judgement.Made(Decision.Proceed proceed) ->
                held.resumed(
                        proceed.reason(),
                        held.plan().and(EffectPlan.of(bill, proceed.effects())),
                        step.moment().now());
            case Judgement.Made(Decision.Hold hold) ->
                held.because(Hold.of(Hold.Reason.APPROVAL, hold.reason()))
                        .with(held.plan().and(EffectPlan.of(bill, hold.effects())));
            case Judgement.Made(Decision.Refuse refuse) ->
                held.compensating(new Failure(Failure.Reason.REFUSED, refuse.reason()));
            case Judgement.Broken(String detail) -> held.because(Hold.of(Hold.Reason.POLICY_ERROR, detail));
        };
        return commit.advance(step.view(), step.note(next).transition(), next);
    }

    /** Gives every failed step of a held plan another attempt. */
    private List<Fact> retryStuck(Step step, Held held) {
        boolean stuck = switch (held.hold().reason()) {
            case EFFECT_FAILED, BILLING_FAILED, COMPENSATION_STUCK, PROCESSING_ERROR -> true;
            case APPROVAL, POLICY_ERROR, EFFECT_UNKNOWN -> false;
        };
        if (!stuck) {
            return refused(
                    step, held, "held for " + held.hold().reason() + ": approve, reject, resolve or skip instead");
        }
        EffectPlan plan = held.hold().reason() == Hold.Reason.PROCESSING_ERROR
                ? held.plan().hastened(step.moment().now())
                : held.plan();
        for (EffectStep each : held.plan().steps()) {
            if (each.forward().status() == Progress.Status.FAILED) {
                plan = plan.with(
                        each.step(),
                        false,
                        each.forward().anotherRound(step.moment().now()));
            }
            Optional<Progress> undo = each.undo().filter(progress -> progress.status() == Progress.Status.FAILED);
            if (undo.isPresent()) {
                plan = plan.with(
                        each.step(), true, undo.get().anotherRound(step.moment().now()));
            }
        }
        Held retried = held.with(plan);
        Open next = held.hold()
                .failure()
                .<Open>map(retried::compensating)
                .orElseGet(() -> retried.resumed(
                        held.hold().detail(), retried.plan(), step.moment().now()));
        return commit.advance(step.view(), step.note(next).transition(), next);
    }

    private List<Fact> cancel(Step step, Open open) {
        Failure failure = new Failure(Failure.Reason.CANCELLED, step.command().reason());
        return switch (open) {
            case Pending pending -> step.transition().fail(pending, failure, settings);
            case Generating generating ->
                step.transition().add(new Fact.CancelCall(generating.id())).fail(generating, failure, settings);
            case Acknowledged acknowledged
            when acknowledged.plan().pastPivot() ->
                refused(step, acknowledged, "it is past its pivot: there is only forward");
            case Acknowledged acknowledged ->
                commit.back(
                        step.view(),
                        step.transition(),
                        acknowledged,
                        failure,
                        Optional.of(step.command().actor()));
            case Held held
            when held.plan().pastPivot() -> refused(step, held, "it is past its pivot: there is only forward");
            case Held held -> {
                Compensating next = held.compensating(failure);
                yield commit.advance(step.view(), step.note(next).transition(), next);
            }
            case Compensating compensating -> refused(step, compensating, "it is already going back");
        };
    }

    private List<Fact> approve(Step step, Open open) {
        if (!(open instanceof Held held) || held.hold().reason() != Hold.Reason.APPROVAL) {
            return refused(step, open, "it does not wait for an approval");
        }
        if (held.identity()
                .deadline()
                .filter(end -> !end.isAfter(step.moment().now()))
                .isPresent()) {
            return refused(step, held, "its deadline has passed: reject it");
        }
        Acknowledged next = held.resumed(
                "approved by " + step.command().actor(),
                held.plan(),
                step.moment().now());
        return commit.advance(step.view(), step.note(next).transition(), next);
    }

    private List<Fact> reject(Step step, Open open) {
        if (!(open instanceof Held held) || held.hold().reason() != Hold.Reason.APPROVAL) {
            return refused(step, open, "it does not wait for an approval");
        }
        Compensating next = held.with(held.plan().billingOnly())
                .compensating(new Failure(
                        Failure.Reason.REFUSED, "rejected by " + step.command().actor()));
        return commit.advance(step.view(), step.note(next).transition(), next);
    }

    /** A person settles an effect whose outcome is unknown, or skips one that failed. */
    private List<Fact> resolve(Step step, Open open, Progress.Status end) {
        if (!(open instanceof Held held)) {
            return refused(step, open, "nothing of it waits for a person");
        }
        Optional<EffectId> id = step.command().effectId();
        if (id.isEmpty()) {
            return refused(step, open, "the command names no effect_id");
        }
        Optional<Progress> progress = held.plan().step(id.get().step()).flatMap(found -> found.progressOf(id.get()));
        boolean resolvable = progress.map(Progress::status)
                .filter(status -> status == Progress.Status.UNKNOWN || status == Progress.Status.FAILED)
                .isPresent();
        if (!resolvable) {
            return refused(step, open, id.get() + " is neither UNKNOWN nor FAILED");
        }
        String why = end + " according to " + step.command().actor() + ": "
                + step.command().reason();
        Held resolved = held.with(held.plan()
                .with(id.get().step(), id.get().undo(), progress.get().settled(end, why, Optional.empty())));
        step.note(resolved);
        return commit.advance(step.view(), step.transition(), resumed(resolved, step.moment()));
    }

    private static Open resumed(Held held, Moment moment) {
        boolean unknown = held.plan().steps().stream()
                .anyMatch(each -> each.forward().status() == Progress.Status.UNKNOWN
                        || each.undo()
                                .filter(undo -> undo.status() == Progress.Status.UNKNOWN)
                                .isPresent());
        if (unknown
                || held.hold().reason() == Hold.Reason.APPROVAL
                || held.hold().reason() == Hold.Reason.POLICY_ERROR) {
            return held;
        }
        return held.hold()
                .failure()
                .<Open>map(held::compensating)
                .orElseGet(() -> held.resumed(held.hold().detail(), held.plan(), moment.now()));
    }

    private static List<Fact> refused(Step step, Open open, String why) {
        return List.of(refusal(step, open, why));
    }

    private static Fact refusal(Step step, RequestState state, String why) {
        return new Fact.Log(new LifecycleEvent(
                state.id(),
                LifecycleEvent.Type.COMMAND_REFUSED,
                Optional.of(state.status()),
                state.status(),
                state.identity().source(),
                0,
                step.command().effectId(),
                step.command().verb() + " refused: " + why,
                Optional.of(step.command().actor()),
                step.moment().now()));
    }
}
