package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.ledger.LedgerRow.Status;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The rules for an effect that is already in the ledger. Pure: the row carries all ages, so no clock is read. */
final class ClaimRules {
    private ClaimRules() {}

    /**
     * What {@code ask} may do about {@code row}.
     *
     * @param me the lease owner who asks
     * @param now for outcomes made here
     */
    static Finding judge(LedgerRow row, Ask ask, String me, Instant now) {
        if (row.status() == Status.TOMBSTONED) {
            return new Finding.Refuse(undone(false));
        }
        if (!row.fingerprint().equals(Optional.of(ask.fingerprint()))) {
            return new Finding.Refuse(otherContent(row, ask));
        }
        if (ask.probe()) {
            return ProbeRules.judge(row, ask, me, now);
        }
        if (row.status() == Status.SETTLED && answers(row, ask.effect().attempt())) {
            return new Finding.Reply(row.verdict().orElseThrow(), row.outcomeAt());
        }
        if (ask.effect().attempt() < row.attempt()) {
            return new Finding.Reply(
                    Verdict.retry("superseded by attempt " + row.attempt(), Optional.empty(), row.inDoubt()), now);
        }
        if (row.tombstoned()) {
            return new Finding.Refuse(undone(row.inDoubt() || row.status() == Status.STARTED));
        }
        return proceed(row, ask, me, now);
    }

    /** FAILED says of the effect that it was not carried out, so it may be said only when that holds for the other content too. */
    private static Verdict otherContent(LedgerRow row, Ask ask) {
        String said = "effect_id was used before with other content: fingerprint "
                + row.fingerprint().orElse("none") + " then, " + ask.fingerprint() + " now; nothing was executed";
        return isCertainlyNotExecuted(row)
                ? Verdict.certain(Result.FAILED, said)
                : new Verdict(
                        Result.UNKNOWN,
                        said + " for this, but the other was carried out, or may have been",
                        Optional.empty(),
                        Optional.empty(),
                        true);
    }

    private static boolean isCertainlyNotExecuted(LedgerRow row) {
        return !row.inDoubt()
                && switch (row.status()) {
                    case STARTED -> false;
                    case RELEASED, TOMBSTONED -> true;
                    case SETTLED ->
                        switch (row.verdict().orElseThrow().result()) {
                            case FAILED, RETRYABLE, MALFORMED -> true;
                            case SUCCEEDED, UNKNOWN, AWAITING_CALLBACK -> false;
                        };
                };
    }

    /**
     * Whether the stored outcome is the answer to {@code attempt}. What was done answers every attempt. An attempt behind a
     * failure is issued only when a person asks for it, and one behind an unknown outcome only when a person has said that
     * nothing was done as well; those go on by the rules of their class. So does one behind an accepted effect: its callback
     * may have said that it failed, which only who issues attempts has heard.
     */
    private static boolean answers(LedgerRow row, int attempt) {
        return switch (row.verdict().orElseThrow().result()) {
            case SUCCEEDED -> true;
            case FAILED, UNKNOWN, AWAITING_CALLBACK -> attempt <= row.attempt();
            case RETRYABLE, MALFORMED -> attempt == row.attempt();
        };
    }

    private static Verdict undone(boolean inDoubt) {
        return inDoubt
                ? new Verdict(
                        Result.UNKNOWN,
                        "compensated, so not executed again; an earlier attempt of it may have taken effect",
                        Optional.empty(),
                        Optional.empty(),
                        true)
                : Verdict.certain(Result.FAILED, "compensated before this attempt came; nothing was executed");
    }

    private static Finding proceed(LedgerRow row, Ask ask, String me, Instant now) {
        boolean found = isFound(row, me);
        boolean inDoubt = row.inDoubt() || found || isUnknown(row) || isAccepted(row);
        boolean inItsCall = found && row.lease().heldByOther(me);
        return switch (ask.recovery()) {
            case Recovery.Local local ->
                inDoubt ? unknown("started on another class of route") : new Finding.Run(false, true);
            case Recovery.Keyed keyed ->
                inItsCall && ask.fenced() ? wait(row.lease().left(), now) : keyed(row, keyed, inDoubt);
            case Recovery.Probeable probeable ->
                inItsCall ? wait(row.lease().left(), now) : probeable(row, probeable, inDoubt, now);
            case Recovery.Opaque opaque -> inItsCall ? wait(row.lease().left(), now) : opaque(opaque, inDoubt);
        };
    }

    /**
     * Whether a claim without an outcome may have been sent. Our own was not: what this task has sent is settled, from memory
     * if need be, before the same effect is asked about again, so that only the answer to the claim can have been lost.
     */
    static boolean isFound(LedgerRow row, String me) {
        return row.status() == Status.STARTED && !row.lease().owner().equals(me);
    }

    /** What a person says of an unknown outcome is not in the ledger: a receiver that can be trusted instead is. */
    static boolean isUnknown(LedgerRow row) {
        return row.status() == Status.SETTLED
                && row.verdict()
                        .filter(verdict -> verdict.result() == Result.UNKNOWN)
                        .isPresent();
    }

    /**
     * Taken by the receiver, and its end not in the ledger. A later attempt alone is no proof that it failed: one is issued as
     * well when two tasks were asked about the same attempt, and the one that did not send it said to try again. So the receiver
     * is asked, or sent the same key; where it can do neither, a person has to say so to the ledger before it is sent again.
     */
    static boolean isAccepted(LedgerRow row) {
        return row.verdict()
                .filter(verdict -> verdict.result() == Result.AWAITING_CALLBACK)
                .isPresent();
    }

    private static Finding keyed(LedgerRow row, Recovery.Keyed keyed, boolean inDoubt) {
        Duration sinceFirst = row.sent().sinceFirst();
        if (inDoubt && sinceFirst.plus(keyed.late()).compareTo(keyed.window()) >= 0) {
            return unknown("a repetition could reach the receiver after its window of "
                    + keyed.window().toMillis() + " ms for the key, counted from the first send");
        }
        return new Finding.Run(inDoubt, sinceFirst.compareTo(keyed.window()) >= 0);
    }

    static Finding probeable(LedgerRow row, Recovery.Probeable probeable, boolean inDoubt, Instant now) {
        Duration left = probeable.settle().minus(row.sent().sinceLast());
        return inDoubt && left.isPositive() ? wait(left, now) : new Finding.Run(inDoubt, true);
    }

    private static Finding opaque(Recovery.Opaque opaque, boolean inDoubt) {
        return inDoubt && !opaque.atLeastOnce()
                ? unknown("the receiver can neither deduplicate nor be asked")
                : new Finding.Run(inDoubt, true);
    }

    static Finding unknown(String why) {
        return new Finding.Conclude(new Verdict(
                Result.UNKNOWN,
                "an earlier attempt was sent and its outcome is not known; " + why,
                Optional.empty(),
                Optional.empty(),
                true));
    }

    /** Not kept: the task in its call may still settle the row with what it knows. */
    static Finding wait(Duration left, Instant now) {
        return new Finding.Reply(
                Verdict.retry(
                        "an earlier attempt may still be in its call; nothing was executed",
                        Optional.of(Duration.ofMillis(left.toMillis() + 1)),
                        true),
                now);
    }
}
