package io.hellogpt.once.connect.ledger;

import java.time.Instant;

/** What follows from a row found in the ledger. */
sealed interface Finding {
    /**
     * Carry the attempt out.
     *
     * @param inDoubt an earlier send may have taken effect
     * @param freshKey the window of the key starts anew
     */
    record Run(boolean inDoubt, boolean freshKey) implements Finding {}

    /** Do not carry it out, and keep that as its outcome. */
    record Conclude(Verdict verdict) implements Finding {}

    /** Say this again or instead; the row stays as it is. */
    record Reply(Verdict verdict, Instant at) implements Finding {}

    /** The record is not an attempt of the effect in the ledger, or that effect has been undone: refuse, loudly. */
    record Refuse(Verdict verdict) implements Finding {}
}
