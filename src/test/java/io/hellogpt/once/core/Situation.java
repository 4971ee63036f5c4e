package io.hellogpt.once.core;

import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.OperatorCommand.Verb;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Where a request can stand when a person says something about it. */
enum Situation {
    PENDING("0.1", () -> new Bench().arrive()),
    GENERATING("0.1", () -> new Bench().generating()),
    ACKNOWLEDGED("0.1", Situation::pair),
    PAST_THE_PIVOT("0.3", Situation::pivotDone),
    HELD_FOR_APPROVAL(
            "0.1",
            () -> new Bench()
                    .deciding(new Decision.Hold("ask", List.of(Samples.effect(1, true, false))))
                    .acknowledged()),
    HELD_FOR_A_POLICY_ERROR(
            "0.1", () -> new Bench().withBrokenPolicy(true).acknowledged().withBrokenPolicy(false)),
    HELD_FOR_AN_UNKNOWN("0.1", () -> pair().outcome("0.1", 1, Result.UNKNOWN)),
    HELD_PAST_THE_PIVOT("0.3", () -> pivotDone().outcome("0.3", 1, Result.FAILED)),
    HELD_FOR_BILLING("0.0", () -> pair().outcome("0.0", 1, Result.FAILED)),
    HELD_FOR_A_STUCK_COMPENSATION("0.1:undo", () -> goingBack().outcome("0.1:undo", 1, Result.FAILED)),
    HELD_FOR_AN_UNKNOWN_COMPENSATION("0.1:undo", () -> goingBack().outcome("0.1:undo", 1, Result.UNKNOWN)),
    HELD_FOR_A_DEFECT("0.1", () -> {
        Bench bench = pair();
        return bench.apply(new Rescue(Bench.SETTINGS).rescue(Optional.of(bench.state()), "a defect", bench.moment()));
    }),
    COMPENSATING("0.1:undo", Situation::goingBack),
    COMMITTED("0.0", () -> new Bench().acknowledged().outcome("0.0", 1, Result.SUCCEEDED)),
    FAILED("0.1", () -> new Bench().arrive().command("ended", Verb.CANCEL, ""));

    private final String effect;
    private final Supplier<Bench> made;

    Situation(String effect, Supplier<Bench> made) {
        this.effect = effect;
        this.made = made;
    }

    Bench make() {
        return made.get();
    }

    /** The effect a person would be asked about. */
    String effect() {
        return effect;
    }

    private static Bench pair() {
        return with(Samples.effect(1, true, false), Samples.effect(1, false, false));
    }

    private static Bench pivotDone() {
        return with(Samples.effect(1, true, false), Samples.effect(2, false, true), Samples.effect(3, false, false))
                .outcome("0.1", 1, Result.SUCCEEDED)
                .outcome("0.2", 1, Result.SUCCEEDED);
    }

    private static Bench goingBack() {
        return pair().outcome("0.1", 1, Result.SUCCEEDED).outcome("0.2", 1, Result.FAILED);
    }

    private static Bench with(PlannedEffect... effects) {
        return new Bench().proceedingWith(effects).acknowledged();
    }
}
