package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Attempts;
import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.RetryPolicy;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.StoreView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Breakages of callbacks, probes and commands, of what is noted of them, and of what people are asked. */
enum AuditMutation implements Mutation {
    DROP_CALLBACKS(
            () -> new Protocol() {
                @Override
                List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
                    return outcome.callbackId().isPresent() ? List.of() : super.onOutcome(view, outcome, moment);
                }
            },
            "AUDIT"),
    TAKE_CALLBACKS_FOR_OUTCOMES_OF_THE_FIRST_ATTEMPT(
            () -> Broken.outcomes((state, outcome) -> outcome.callbackId().isEmpty()
                    ? outcome
                    : new EffectOutcome(
                            outcome.effectId(),
                            1,
                            outcome.result(),
                            outcome.detail(),
                            outcome.reference(),
                            outcome.retryAfter(),
                            outcome.deadline(),
                            outcome.at(),
                            outcome.requestReceivedAt(),
                            outcome.inDoubt())),
            "AUDIT",
            "G3"),
    FORGET_THE_IDS_OF_CALLBACKS(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.mapSaved(facts, state -> Facts.mapSteps(state, AuditMutation::forgetful));
                }
            },
            "AUDIT"),
    NEVER_REFUSE_A_CALLBACK(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return withoutLogs(facts, LifecycleEvent.Type.CALLBACK_REFUSED);
                }
            },
            "AUDIT"),
    SEND_INSTEAD_OF_PROBING(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.mapEffects(facts, AuditMutation::sending);
                }
            },
            "G3"),
    SEND_A_PROBE_AGAIN(
            () -> new Protocol() {
                @Override
                List<Fact> onEffectTimer(StoreView view, RequestState.Open open, Moment moment) {
                    List<Fact> facts = new ArrayList<>(super.onEffectTimer(view, open, moment));
                    facts.stream()
                            .filter(fact -> fact instanceof Fact.IssueEffect(Effect effect) && effect.probe())
                            .findFirst()
                            .ifPresent(facts::addFirst);
                    return facts;
                }
            },
            "G3"),
    RETRY_WITHOUT_END(
            () -> new Protocol(new ProtocolSettings(
                    Protocol.SETTINGS.dedupRetention(),
                    Protocol.SETTINGS.callTimeout(),
                    Protocol.SETTINGS.calls(),
                    new RetryPolicy(Duration.ofMillis(500), Duration.ofSeconds(10), 1_000),
                    Protocol.SETTINGS.outcomeTimeout(),
                    Protocol.SETTINGS.holdTimeout(),
                    Protocol.SETTINGS.stashRetention(),
                    Protocol.SETTINGS.snapshotMaxBytes())),
            "G3"),
    HEAR_COMMANDS_TWICE(
            () -> new Protocol() {
                @Override
                List<Fact> onCommand(StoreView view, OperatorCommand command, Moment moment) {
                    return super.onCommand(new Forgetful(view), command, moment);
                }
            },
            "AUDIT"),
    FORGET_COMMANDS_THAT_WERE_REFUSED(
            () -> new Protocol() {
                @Override
                List<Fact> onCommand(StoreView view, OperatorCommand command, Moment moment) {
                    List<Fact> facts = super.onCommand(view, command, moment);
                    boolean refused = facts.stream()
                            .anyMatch(fact -> fact instanceof Fact.Log(var event)
                                    && event.type() == LifecycleEvent.Type.COMMAND_REFUSED);
                    return refused ? Facts.without(facts, Fact.Save.class) : facts;
                }
            },
            "AUDIT"),
    REFUSE_SILENTLY(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return withoutLogs(facts, LifecycleEvent.Type.COMMAND_REFUSED);
                }
            },
            "AUDIT"),
    ACT_WITHOUT_A_NAME(
            () -> new Protocol() {
                @Override
                List<Fact> applied(List<Fact> facts) {
                    return Facts.map(
                            facts,
                            fact -> fact instanceof Fact.Log(LifecycleEvent event)
                                    ? new Fact.Log(new LifecycleEvent(
                                            event.id(),
                                            event.type(),
                                            event.from(),
                                            event.to(),
                                            event.source(),
                                            event.attempt(),
                                            event.effectId(),
                                            event.detail(),
                                            Optional.empty(),
                                            event.at()))
                                    : fact);
                }
            },
            "AUDIT"),
    STAY_HELD_ALTHOUGH_ALL_IS_WELL(
            () -> new Protocol() {
                @Override
                List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
                    List<Fact> facts = super.onOutcome(view, outcome, moment);
                    Optional<Held> held = view.state(outcome.effectId().requestId())
                            .filter(Held.class::isInstance)
                            .map(Held.class::cast);
                    boolean resumes = facts.stream()
                            .anyMatch(fact ->
                                    fact instanceof Fact.Log(var event) && event.type() == LifecycleEvent.Type.RESUMED);
                    return held.isPresent() && resumes ? stay(held.get(), outcome) : facts;
                }
            },
            "STUCK",
            "AUDIT"),
    CARRY_OUT_WHAT_DOES_NOT_FIT(
            () -> new Protocol() {
                @Override
                List<Fact> decideWithoutEffects(StoreView view, Generation.FirstAnswer answer, Moment moment) {
                    return decide(view, answer, moment);
                }
            },
            "G2");

    private static EffectStep forgetful(EffectStep step) {
        return new EffectStep(
                step.step(),
                step.planned(),
                forgetful(step.forward()),
                step.undo().map(AuditMutation::forgetful));
    }

    private static Progress forgetful(Progress progress) {
        return new Progress(
                progress.status(),
                progress.attempts(),
                progress.dueAt(),
                progress.detail(),
                progress.reference(),
                List.of());
    }

    private static Effect sending(Effect effect) {
        return new Effect(
                effect.id(),
                effect.name(),
                effect.stage(),
                effect.route(),
                effect.attempt(),
                effect.payload(),
                effect.issuedAt(),
                effect.requestReceivedAt());
    }

    private static List<Fact> withoutLogs(List<Fact> facts, LifecycleEvent.Type type) {
        return facts.stream()
                .filter(fact -> !(fact instanceof Fact.Log(LifecycleEvent event)) || event.type() != type)
                .toList();
    }

    private static List<Fact> stay(Held held, EffectOutcome outcome) {
        EffectStep step = held.plan().step(outcome.effectId().step()).orElseThrow();
        Progress now = outcome.effectId().undo() ? step.undo().orElseThrow() : step.forward();
        Progress next = new Progress(
                Progress.Status.SUCCEEDED,
                new Attempts(now.attempt(), now.attempts().before(), false, false, false, false),
                Optional.empty(),
                Optional.of("late"),
                Optional.empty(),
                now.callbacks());
        return List.of(new Fact.Save(
                Optional.of(held),
                Facts.mapSteps(
                        held,
                        each -> each != step
                                ? each
                                : outcome.effectId().undo()
                                        ? new EffectStep(step.step(), step.planned(), step.forward(), Optional.of(next))
                                        : new EffectStep(step.step(), step.planned(), next, step.undo()))));
    }

    /** A store whose states remember no command. */
    private record Forgetful(StoreView view) implements StoreView {
        @Override
        public Optional<RequestState> state(RequestId id) {
            return view.state(id).map(state -> {
                Identity known = state.identity();
                return state.with(new Identity(
                        known.id(),
                        known.fingerprint(),
                        known.source(),
                        known.receivedAt(),
                        known.deadline(),
                        List.of()));
            });
        }

        @Override
        public Optional<Snapshot> snapshot(RequestId id) {
            return view.snapshot(id);
        }

        @Override
        public Optional<EarlyResponse> early(RequestId id) {
            return view.early(id);
        }
    }

    private final Supplier<Protocol> broken;
    private final Set<String> caughtBy;

    AuditMutation(Supplier<Protocol> broken, String... caughtBy) {
        this.broken = broken;
        this.caughtBy = Set.of(caughtBy);
    }

    @Override
    public Protocol broken() {
        return broken.get();
    }

    @Override
    public Set<String> caughtBy() {
        return caughtBy;
    }
}
