package io.hellogpt.once.connect.receiver;

import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;

/** Carries attempts out. Safe for several threads; a call blocks its thread, which should be a virtual one. */
public interface EffectReceiver extends AutoCloseable {
    /**
     * Carries one attempt out. Whatever the receiver or the network does becomes a verdict.
     *
     * @throws InterruptedException when told to stop; the attempt is then in doubt and must not be settled
     */
    Verdict execute(Claim.Execute claim) throws InterruptedException;

    /** Ends calls that are still out. */
    @Override
    void close();
}
