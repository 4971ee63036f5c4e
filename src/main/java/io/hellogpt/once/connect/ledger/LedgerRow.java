package io.hellogpt.once.connect.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An effect as the ledger has it.
 *
 * @param fingerprint empty for a tombstone of an effect never seen
 * @param lease the last claim
 * @param inDoubt a send before the last claim may have taken effect
 * @param verdict with {@link Status#SETTLED}, or what an earlier attempt came to
 */
record LedgerRow(
        String effectId,
        Optional<String> fingerprint,
        Status status,
        int attempt,
        Lease lease,
        boolean inDoubt,
        Sent sent,
        boolean tombstoned,
        Optional<Verdict> verdict,
        Instant outcomeAt) {

    /** What the ledger knows of an effect. */
    enum Status {
        STARTED,
        SETTLED,
        RELEASED,
        TOMBSTONED
    }

    /**
     * A claim.
     *
     * @param token grows with each claim
     * @param left time until it runs out by the database's clock, not positive when it has
     */
    record Lease(long token, String owner, Duration left) {
        boolean heldByOther(String me) {
            return !owner.equals(me) && left.isPositive();
        }
    }

    /** How long ago, by the database's clock, the effect was first and last sent; zero when it was not. */
    record Sent(Duration sinceFirst, Duration sinceLast) {}
}
