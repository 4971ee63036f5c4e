package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Fact;
import java.util.List;

/**
 * What requests ask for, and what must come of it. The policy under test and the invariants both read this table; the protocol
 * does not.
 */
enum Kind {
    PLAIN(Verdict.PROCEED),
    STAGED(
            Verdict.PROCEED,
            new Expected(1, 1, true, false),
            new Expected(2, 1, true, false),
            new Expected(3, 2, true, false)),
    PIVOT(
            Verdict.PROCEED,
            new Expected(1, 1, true, false),
            new Expected(2, 2, false, true),
            new Expected(3, 3, false, false)),
    APPROVAL(Verdict.HOLD, new Expected(1, 1, true, false)),
    REFUSED(Verdict.REFUSE),
    HUGE(Verdict.OVERSIZE, new Expected(1, 1, true, false)),
    BROKEN(Verdict.THROW, new Expected(1, 1, true, false)),
    /** The smallest with an effect; random walks have the others. */
    SINGLE(Verdict.PROCEED, new Expected(1, 1, true, false));

    /** What the policy says. */
    enum Verdict {
        PROCEED,
        HOLD,
        REFUSE,
        /** It proceeds with more than fits into a record. */
        OVERSIZE,
        /** Until it is fixed; then it proceeds. */
        THROW
    }

    /** One planned effect. */
    record Expected(int step, int stage, boolean undoable, boolean pivot) {
        String name() {
            return "effect-" + step;
        }
    }

    static final int RECORD_SIZE = 1_000;

    private static final Kind[] PICKED = {PLAIN, STAGED, PIVOT, APPROVAL, REFUSED, HUGE, BROKEN};

    private final Verdict verdict;
    private final List<Expected> effects;

    Kind(Verdict verdict, Expected... effects) {
        this.verdict = verdict;
        this.effects = List.of(effects);
    }

    Verdict verdict() {
        return verdict;
    }

    List<Expected> effects() {
        return effects;
    }

    /** An effect that does not fit into a record. */
    static boolean isOversize(Fact fact) {
        return fact instanceof Fact.IssueEffect(var effect) && effect.payload().length() > RECORD_SIZE;
    }

    static Kind pick(int pick) {
        return PICKED[pick % PICKED.length];
    }
}
