package io.hellogpt.once.core;

import io.hellogpt.once.core.Acknowledge.Judgement;
import io.hellogpt.once.core.RequestState.Ended;
import io.hellogpt.once.core.RequestState.Open;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a person may do to one request. What is not possible is refused with the reason, on the audit log. A command whose id is
 * among the last ones of its request was heard before and does nothing, whatever came of it.
 */
public final class Operate {
    private static final String PAST_PIVOT = "it is past its pivot: there is only forward";
    private static final String GOING_BACK = "it is already going back";

    private final ProtocolSettings settings;
    private final Acknowledge acknowledge;
    private final Commit commit;
    private final StuckEffects stuck = new StuckEffects();

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
        RequestState state = known.get();
        if (state.identity().hasHeard(command.commandId())) {
            return List.of(new Fact.Ignore(command.requestId(), Fact.Ignore.Reason.DUPLICATE_COMMAND));
        }
        Step step = new Step(view, command, moment, Transition.by(command, known, moment));
        return switch (state) {
            case Open open -> act(step, open);
            case Ended ended -> step.refuse(ended, "the request has ended as " + ended.status());
        };
    }

    private List<Fact> act(Step step, Open open) {
        return switch (step.command().verb()) {
            case RETRY -> retry(step, open);
            case CANCEL -> cancel(step, open);
            case APPROVE -> approve(step, open);
            case REJECT -> reject(step, open);
            case RESOLVE_SUCCEEDED -> resolve(step, open, Progress.Status.SUCCEEDED);
            case RESOLVE_FAILED -> resolve(step, open, Progress.Status.FAILED);
            case SKIP -> resolve(step, open, Progress.Status.SKIPPED);
        };
    }

    /** One command on its way. */
    private record Step(StoreView view, OperatorCommand command, Moment moment, Transition transition) {
        Instant now() {
            return moment.now();
        }

        /** The command is carried out; who and why stand beside what it leads to. */
        Transition apply(RequestState next) {
            return log(next, LifecycleEvent.Type.COMMAND_APPLIED, command.verb() + ": " + command.reason());
        }

        List<Fact> refuse(RequestState state, String why) {
            return log(state, LifecycleEvent.Type.COMMAND_REFUSED, command.verb() + " refused: " + why)
                    .save(state);
        }

        private Transition log(RequestState next, LifecycleEvent.Type type, String detail) {
            return transition.log(next, type, 0, command.effectId(), detail, Optional.of(command.actor()));
        }
    }

    private List<Fact> advance(Step step, Open next) {
        return commit.advance(step.view(), step.apply(next), next);
    }

    private List<Fact> retry(Step step, Open open) {
        return switch (open) {
            case Pending pending -> {
                Pending now = pending.newRound(step.now());
                yield step.apply(now).save(now);
            }
            case Held held when held.hold().reason() == Hold.Reason.POLICY_ERROR -> decideAgain(step, held);
            case Held held -> retryStuck(step, held);
            case Generating generating -> step.refuse(generating, "a call is in flight");
            case Acknowledged acknowledged -> step.refuse(acknowledged, "its effects are being carried out");
            case Compensating compensating -> step.refuse(compensating, "its compensations are being carried out");
        };
    }

    private List<Fact> decideAgain(Step step, Held held) {
        Snapshot snapshot = step.view().snapshot(held.id()).orElseThrow();
        Judgement judgement = acknowledge.judge(held.request().orElseThrow(), snapshot);
        return advance(
                step,
                switch (judgement) {
                    case Judgement.Made(Decision.Proceed proceed) ->
                        held.resumed(proceed.reason(), planned(held, proceed.effects()), step.now());
                    case Judgement.Made(Decision.Hold hold) ->
                        held.because(Hold.of(Hold.Reason.APPROVAL, hold.reason()))
                                .with(planned(held, hold.effects()));
                    case Judgement.Made(Decision.Refuse refuse) ->
                        held.compensating(new Failure(Failure.Reason.REFUSED, refuse.reason()));
                    case Judgement.Broken(String detail) -> held.because(Hold.of(Hold.Reason.POLICY_ERROR, detail));
                });
    }

    private static EffectPlan planned(Held held, List<Decision.PlannedEffect> effects) {
        return held.plan().and(EffectPlan.of(Optional.empty(), effects));
    }

    private List<Fact> retryStuck(Step step, Held held) {
        Hold.Reason reason = held.hold().reason();
        return switch (reason) {
            case EFFECT_FAILED, BILLING_FAILED, COMPENSATION_STUCK, PROCESSING_ERROR -> {
                Optional<EffectPlan> again = stuck.anotherRound(held, step.now());
                yield again.isPresent()
                        ? advance(
                                step, held.with(again.get()).goesOn(held.hold().detail(), step.moment()))
                        : step.refuse(held, "nothing of it has failed: resolve or skip what is UNKNOWN");
            }
            case APPROVAL, POLICY_ERROR, EFFECT_UNKNOWN ->
                step.refuse(held, "held for " + reason + ": approve, reject, resolve or skip instead");
        };
    }

    private List<Fact> cancel(Step step, Open open) {
        Failure failure = new Failure(Failure.Reason.CANCELLED, step.command().reason());
        return switch (open) {
            case Pending pending -> step.apply(pending).fail(pending, failure, settings);
            case Generating generating ->
                step.apply(generating).add(new Fact.CancelCall(generating.id())).fail(generating, failure, settings);
            case Acknowledged acknowledged when acknowledged.plan().pastPivot() -> step.refuse(open, PAST_PIVOT);
            case Acknowledged acknowledged ->
                commit.back(
                        step.view(),
                        step.apply(acknowledged),
                        acknowledged,
                        failure,
                        Optional.of(step.command().actor()));
            // Its failure is the reason it ends with; another one would hide it.
            case Held held when held.isFailing() -> step.refuse(held, GOING_BACK);
            case Held held when held.plan().pastPivot() -> step.refuse(held, PAST_PIVOT);
            case Held held -> advance(step, held.compensating(failure));
            case Compensating compensating -> step.refuse(compensating, GOING_BACK);
        };
    }

    private List<Fact> approve(Step step, Open open) {
        if (!(open instanceof Held held) || held.hold().reason() != Hold.Reason.APPROVAL) {
            return step.refuse(open, "it does not wait for an approval");
        }
        Optional<Instant> passed = held.identity().deadline().filter(end -> !end.isAfter(step.now()));
        return passed.isPresent()
                ? step.refuse(held, "its deadline has passed: reject it")
                : advance(step, held.resumed("approved by " + step.command().actor(), held.plan(), step.now()));
    }

    private List<Fact> reject(Step step, Open open) {
        if (!(open instanceof Held held) || held.hold().reason() != Hold.Reason.APPROVAL) {
            return step.refuse(open, "it does not wait for an approval");
        }
        return advance(
                step,
                held.with(held.plan().billingOnly())
                        .compensating(new Failure(
                                Failure.Reason.REFUSED,
                                "rejected by " + step.command().actor())));
    }

    /** A person settles an effect whose outcome is unknown, or skips one that failed. */
    private List<Fact> resolve(Step step, Open open, Progress.Status end) {
        if (!(open instanceof Held held)) {
            return step.refuse(open, "nothing of it waits for a person");
        }
        Optional<EffectId> id = step.command().effectId();
        if (id.isEmpty()) {
            return step.refuse(open, "the command names no effect_id");
        }
        Optional<Progress> progress = held.plan().step(id.get().step()).flatMap(found -> found.progressOf(id.get()));
        if (!stuck.mayBecome(progress, end)) {
            return step.refuse(
                    open,
                    "%s is %s"
                            .formatted(
                                    id.get(),
                                    progress.map(Progress::status)
                                            .map(Enum::name)
                                            .orElse("not an effect of it")));
        }
        String why = end + " according to " + step.command().actor() + ": "
                + step.command().reason();
        Held resolved = held.with(held.plan()
                .with(id.get().step(), id.get().undo(), progress.get().settled(end, why, Optional.empty())));
        return commit.advance(
                step.view(),
                step.apply(resolved),
                stuck.nothingUnknown(resolved) ? resolved.goesOn(held.hold().detail(), step.moment()) : resolved);
    }
}
