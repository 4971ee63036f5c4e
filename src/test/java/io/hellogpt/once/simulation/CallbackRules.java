package io.hellogpt.once.simulation;

import static io.hellogpt.once.simulation.Violation.unless;

import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.LifecycleEvent.Type;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Each callback is noted on the audit log: once when it is heard, not again when it is repeated, with the reason when refused. */
final class CallbackRules {
    private static final String NAME = "CALLBACKS";

    private final Set<Heard> heard = new HashSet<>();
    private Optional<EffectOutcome> open = Optional.empty();
    private Set<Type> expected = Set.of();
    private Optional<Type> noted = Optional.empty();

    private record Heard(Object effect, Object life, String callbackId) {}

    /** An outcome is read; what follows until the next input is said about it. */
    void read(EffectOutcome outcome, Optional<Life> life) {
        next();
        if (outcome.callbackId().isEmpty()) {
            return;
        }
        open = Optional.of(outcome);
        if (life.isEmpty()) {
            expected = Set.of();
        } else if (!life.get().isMeantBy(outcome)
                || !life.get().step(outcome.effectId()).isIssued()) {
            expected = Set.of(Type.CALLBACK_REFUSED);
        } else {
            boolean isNew = heard.add(new Heard(
                    outcome.effectId(),
                    outcome.requestReceivedAt(),
                    outcome.callbackId().get()));
            expected = isNew ? Set.of(Type.EFFECT_OUTCOME, Type.CALLBACK_LATE) : Set.of();
        }
    }

    void produced(Fact fact) {
        if (open.isPresent() && fact instanceof Fact.Log(LifecycleEvent event) && isAbout(event)) {
            unless(noted.isEmpty(), NAME, open.get(), "noted twice");
            noted = Optional.of(event.type());
        }
    }

    private boolean isAbout(LifecycleEvent event) {
        return switch (event.type()) {
            case EFFECT_OUTCOME, CALLBACK_LATE, CALLBACK_REFUSED -> true;
            default -> false;
        };
    }

    /** Another input, or the end of the transaction. */
    void next() {
        if (open.isPresent()) {
            boolean right = noted.map(expected::contains).orElse(expected.isEmpty());
            unless(right, NAME, open.get(), "noted as " + noted + ", to be noted as one of " + expected);
        }
        open = Optional.empty();
        noted = Optional.empty();
    }
}
