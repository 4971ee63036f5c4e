package io.hellogpt.once.simulation;

import static io.hellogpt.once.simulation.Violation.unless;

import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.LifecycleEvent.Type;
import io.hellogpt.once.core.OperatorCommand;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Each callback and each command is noted on the audit log: once when it is heard, not again when it is repeated, with the reason
 * when it is refused. What is repeated leads to nothing at all.
 */
final class AuditRules {
    private static final String NAME = "AUDIT";
    private static final Set<Type> NOTES = EnumSet.of(
            Type.EFFECT_OUTCOME, Type.CALLBACK_LATE, Type.CALLBACK_REFUSED, Type.COMMAND_APPLIED, Type.COMMAND_REFUSED);

    private final Set<Object> heard = new HashSet<>();
    private Optional<Object> open = Optional.empty();
    private Set<Type> expected = Set.of();
    private Optional<LifecycleEvent> noted = Optional.empty();
    private boolean repeated;

    private record HeardCallback(Object effect, Object life, String callbackId) {}

    private record HeardCommand(Object request, Object life, String commandId) {}

    /** An outcome is read; what follows until the next input is made of it. */
    void read(EffectOutcome outcome, Optional<Life> life) {
        next();
        if (outcome.callbackId().isPresent()) {
            open(outcome, expectedOf(outcome, life));
        }
    }

    private Set<Type> expectedOf(EffectOutcome outcome, Optional<Life> life) {
        if (life.isEmpty()) {
            return Set.of();
        }
        if (!life.get().isMeantBy(outcome)
                || !life.get().step(outcome.effectId()).isIssued()) {
            return Set.of(Type.CALLBACK_REFUSED);
        }
        repeated = !heard.add(new HeardCallback(
                outcome.effectId(),
                outcome.requestReceivedAt(),
                outcome.callbackId().orElseThrow()));
        return repeated ? Set.of() : Set.of(Type.EFFECT_OUTCOME, Type.CALLBACK_LATE);
    }

    /** A command is read. */
    void read(OperatorCommand command, Optional<Life> life) {
        next();
        if (life.isEmpty()) {
            open(command, Set.of());
            return;
        }
        repeated = !heard.add(new HeardCommand(command.requestId(), life.get().origin, command.commandId()));
        open(command, repeated ? Set.of() : Set.of(Type.COMMAND_APPLIED, Type.COMMAND_REFUSED));
    }

    private void open(Object input, Set<Type> notes) {
        open = Optional.of(input);
        expected = notes;
    }

    void produced(Fact fact) {
        if (open.isEmpty()) {
            return;
        }
        unless(
                !repeated,
                NAME,
                open.get(),
                "was heard before, and led to " + fact.getClass().getSimpleName());
        if (fact instanceof Fact.Log(LifecycleEvent event) && NOTES.contains(event.type())) {
            unless(noted.isEmpty(), NAME, open.get(), "noted twice");
            noted = Optional.of(event);
        }
    }

    /** Another input, or the end of the transaction. */
    void next() {
        if (open.isPresent()) {
            boolean right = noted.map(event -> expected.contains(event.type())).orElse(expected.isEmpty());
            unless(right, NAME, open.get(), "noted as %s, to be noted as one of %s".formatted(noted, expected));
            noted.ifPresent(event -> unless(
                    !(open.get() instanceof OperatorCommand command) || isSigned(event, command),
                    NAME,
                    open.get(),
                    "noted without who and why"));
        }
        open = Optional.empty();
        noted = Optional.empty();
        repeated = false;
    }

    private static boolean isSigned(LifecycleEvent event, OperatorCommand command) {
        return event.actor().equals(Optional.of(command.actor()))
                && event.detail().startsWith(command.verb().name());
    }
}
