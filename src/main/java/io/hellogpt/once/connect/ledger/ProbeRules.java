package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.ledger.LedgerRow.Status;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.time.Instant;
import java.util.Optional;

/** The rules for an attempt that only asks what became of the effect, such as one whose callback never came. Pure. */
final class ProbeRules {
    private static final String NOBODY_KNOWS = "asked what became of it: the receiver cannot be asked";

    private ProbeRules() {}

    /** What {@code ask} may do about {@code row}; nothing that follows ever sends the effect. */
    static Finding judge(LedgerRow row, Ask ask, String me, Instant now) {
        boolean found = ClaimRules.isFound(row, me);
        if (found && row.lease().heldByOther(me)) {
            return ClaimRules.wait(row.lease().left(), now);
        }
        if (!found && (isFinal(row) || isOfThisAttempt(row, ask))) {
            return new Finding.Reply(row.verdict().orElseThrow(), row.outcomeAt());
        }
        if (!mayHaveHappened(row, found)) {
            return new Finding.Reply(
                    Verdict.retry("asked what became of it: certainly never carried out", Optional.empty(), false),
                    now);
        }
        return switch (ask.recovery()) {
            case Recovery.Probeable probeable -> ClaimRules.probeable(row, probeable, true, now);
            case Recovery.Local local -> ClaimRules.unknown(NOBODY_KNOWS);
            case Recovery.Keyed keyed -> ClaimRules.unknown(NOBODY_KNOWS);
            case Recovery.Opaque opaque -> ClaimRules.unknown(NOBODY_KNOWS);
        };
    }

    /** What follows for an effect of which the ledger has no row: forgotten after its retention, or never delivered. */
    static Optional<Verdict> withoutRow(Ask ask) {
        return ask.recovery() instanceof Recovery.Probeable
                ? Optional.empty()
                : Optional.of(new Verdict(
                        Result.UNKNOWN,
                        "asked what became of it: the ledger has no trace of it, and " + NOBODY_KNOWS,
                        Optional.empty(),
                        Optional.empty(),
                        true));
    }

    /** Only a probe, a callback or a person adds to what AWAITING_CALLBACK, RETRYABLE and UNKNOWN say. */
    private static boolean isFinal(LedgerRow row) {
        return row.status() == Status.SETTLED
                && switch (row.verdict().orElseThrow().result()) {
                    case SUCCEEDED, FAILED, MALFORMED -> true;
                    case UNKNOWN, RETRYABLE, AWAITING_CALLBACK -> false;
                };
    }

    private static boolean isOfThisAttempt(LedgerRow row, Ask ask) {
        return row.status() == Status.SETTLED && ask.effect().attempt() <= row.attempt();
    }

    private static boolean mayHaveHappened(LedgerRow row, boolean found) {
        return found || ClaimRules.isAccepted(row) || row.inDoubt() || ClaimRules.isUnknown(row);
    }
}
