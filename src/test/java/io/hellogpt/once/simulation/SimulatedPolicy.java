package io.hellogpt.once.simulation;

import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides as {@link Kind} says; every payload names the answer it was made from. */
final class SimulatedPolicy implements DecisionPolicy, BillingPolicy {
    static final String NAME = "simulated";

    private boolean fixed;

    /** A new release is deployed in which the policy no longer throws. */
    void fix() {
        fixed = true;
    }

    boolean isFixed() {
        return fixed;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Decision decide(ModelRequest request, Snapshot snapshot) {
        Kind kind = Kind.valueOf(request.model());
        return switch (kind.verdict()) {
            case PROCEED -> new Decision.Proceed("proceed", plan(kind, snapshot));
            case HOLD -> new Decision.Hold("needs a person", plan(kind, snapshot));
            case OVERSIZE -> new Decision.Proceed("proceed", oversize(plan(kind, snapshot)));
            case REFUSE -> new Decision.Refuse("refused");
            case THROW -> {
                if (!fixed) {
                    throw new IllegalStateException("broken policy");
                }
                yield new Decision.Proceed("fixed", plan(kind, snapshot));
            }
        };
    }

    @Override
    public Optional<PlannedEffect> bill(Snapshot snapshot) {
        return Optional.of(new PlannedEffect("billing", "ledger", 0, snapshot.sha256(), Optional.empty(), false));
    }

    private static List<PlannedEffect> oversize(List<PlannedEffect> plan) {
        return plan.stream()
                .map(effect -> new PlannedEffect(
                        effect.name(),
                        effect.route(),
                        effect.stage(),
                        "x".repeat(Kind.RECORD_SIZE + 1),
                        effect.compensation(),
                        effect.pivot()))
                .toList();
    }

    private static List<PlannedEffect> plan(Kind kind, Snapshot snapshot) {
        List<PlannedEffect> plan = new ArrayList<>();
        for (Kind.Expected expected : kind.effects()) {
            Optional<Compensation> undo = expected.undoable()
                    ? Optional.of(new Compensation("undo-" + expected.name(), snapshot.sha256()))
                    : Optional.empty();
            plan.add(new PlannedEffect(
                    expected.name(), "route", expected.stage(), snapshot.sha256(), undo, expected.pivot()));
        }
        return plan;
    }
}
