package io.hellogpt.once.core;

import static io.hellogpt.once.core.Bench.FINGERPRINT;
import static io.hellogpt.once.core.Bench.ID;
import static io.hellogpt.once.core.Bench.START;

import io.hellogpt.once.core.Decision.PlannedEffect;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What a {@link Bench} is fed with. */
final class Samples {
    private Samples() {}

    static PlannedEffect effect(int stage, boolean undoable, boolean pivot) {
        Optional<Compensation> undo = undoable ? Optional.of(new Compensation("undo", "{}")) : Optional.empty();
        return new PlannedEffect("effect", "route", stage, "{}", undo, pivot);
    }

    static Life life() {
        return new Life(START, Optional.of(FINGERPRINT));
    }

    static JournalRecord.Answered answer(Life life, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        return new JournalRecord.Answered(
                ID,
                0,
                1,
                life,
                new Answer(
                        body,
                        "text/plain",
                        text,
                        "p",
                        "m",
                        "{}",
                        Usage.NONE,
                        new Cost(1, "EUR", "1"),
                        Optional.empty(),
                        START,
                        START));
    }
}
