package io.hellogpt.once.connect.receiver;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.time.Duration;
import java.util.Optional;

/**
 * What a result means for an effect of a route's class, whatever the protocol.
 *
 * <p>In doubt: KEYED and PROBEABLE are RETRYABLE, since the next attempt finds out safely; OPAQUE is UNKNOWN, or RETRYABLE on
 * a route set to at-least-once.
 */
public final class Verdicts {
    private final Recovery recovery;
    private final boolean doubtBefore;
    private final boolean again;

    /** @param doubtBefore an earlier send of the same effect may have taken effect */
    public Verdicts(Recovery recovery, boolean doubtBefore) {
        this(recovery, doubtBefore, doubtBefore);
    }

    /** @param again not the first attempt: an earlier one may have reached the receiver, whatever is known of it now */
    public Verdicts(Recovery recovery, boolean doubtBefore, boolean again) {
        this.recovery = recovery;
        this.doubtBefore = doubtBefore;
        this.again = again;
    }

    public Recovery recovery() {
        return recovery;
    }

    /** Done. */
    public Verdict succeeded(String said, Optional<String> reference) {
        return new Verdict(Result.SUCCEEDED, said, reference, Optional.empty(), false);
    }

    /** Taken; its end comes as a callback, which may be about an earlier send as well where no key makes them one. */
    public Verdict accepted(String said, Optional<String> reference, Duration within) {
        boolean beside = again && !(recovery instanceof Recovery.Keyed);
        return new Verdict(Result.AWAITING_CALLBACK, said, reference, Optional.of(within), beside);
    }

    /** The receiver says it did nothing, for now. */
    public Verdict busy(String said, Optional<Duration> retryAfter) {
        return Verdict.retry(said, retryAfter, doubtBefore);
    }

    /** Nothing reached the receiver. */
    public Verdict notSent(String why) {
        return Verdict.retry(why + "; certainly not sent", Optional.empty(), doubtBefore);
    }

    /** It cannot be sent at all, or was certainly refused. */
    public Verdict refused(String why) {
        return doubtBefore
                ? new Verdict(
                        Result.UNKNOWN,
                        why + ", but an earlier attempt of the same effect may have taken effect",
                        Optional.empty(),
                        Optional.empty(),
                        true)
                : Verdict.certain(Result.FAILED, why);
    }

    /** It may have taken effect. */
    public Verdict inDoubt(String why, Optional<Duration> retryAfter) {
        return switch (recovery) {
            case Recovery.Keyed keyed ->
                Verdict.retry(why + "; the same key makes a repetition safe", retryAfter, true);
            case Recovery.Probeable probeable ->
                Verdict.retry(why + "; the next attempt probes", Optional.of(longer(probeable, retryAfter)), true);
            case Recovery.Opaque opaque ->
                opaque.atLeastOnce()
                        ? Verdict.retry(why + "; sent again, as the route is set to at-least-once", retryAfter, true)
                        : unknown(why);
            case Recovery.Local local -> unknown(why);
        };
    }

    private static Verdict unknown(String why) {
        return new Verdict(
                Result.UNKNOWN,
                why + "; it may have taken effect, and the receiver can neither deduplicate nor be asked",
                Optional.empty(),
                Optional.empty(),
                true);
    }

    private static Duration longer(Recovery.Probeable probeable, Optional<Duration> retryAfter) {
        return retryAfter
                .filter(asked -> asked.compareTo(probeable.settle()) > 0)
                .orElse(probeable.settle());
    }
}
