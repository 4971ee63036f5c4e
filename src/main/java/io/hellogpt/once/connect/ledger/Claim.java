package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.core.EffectOutcome;

/** What the ledger says about one attempt that wants to be carried out. */
public sealed interface Claim {
    Ask ask();

    /**
     * The row is ours: carry it out and {@link EffectLedger#settle settle} it. With {@link Ask#probe()} only ask, never send.
     *
     * @param token fences everyone who claimed before
     * @param inDoubt an earlier send may have taken effect
     * @param body the exact bytes to send, those of the first send
     */
    record Execute(Ask ask, long token, boolean inDoubt, byte[] body) implements Claim {}

    /** Nothing is to be executed; publish this. */
    record Answer(Ask ask, EffectOutcome outcome) implements Claim {}
}
