package io.hellogpt.once.connect;

import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;

/** What carries claimed attempts of one route out. Safe for several threads; a call blocks its thread, a virtual one. */
public interface EffectReceiver extends AutoCloseable {
    /**
     * Carries one attempt out, or only asks when {@link io.hellogpt.once.connect.ledger.Ask#probe()}. Whatever the receiver or
     * the network does becomes a verdict; an exception other than the one below is a defect, and the attempt then is in doubt.
     *
     * @throws InterruptedException when told to stop; the attempt is then in doubt and must not be settled
     */
    Verdict execute(Claim.Execute claim) throws InterruptedException;

    /** Ends calls that are still out. */
    @Override
    void close();
}
