package io.hellogpt.once.connect.http;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.time.Duration;
import java.util.Optional;

/**
 * What a response, or the lack of one, means for an effect of a route's class.
 *
 * <table><caption>By status</caption>
 * <tr><td>2xx</td><td>SUCCEEDED</td></tr>
 * <tr><td>425, 429; 408 and 503 with Retry-After</td><td>RETRYABLE: the receiver says it did nothing</td></tr>
 * <tr><td>409</td><td>KEYED: RETRYABLE, an earlier send is being worked on; else in doubt, see below: what conflicts may be
 * the effect itself</td></tr>
 * <tr><td>303</td><td>in doubt, see below: it also follows a POST that was carried out</td></tr>
 * <tr><td>408 and 503 without Retry-After, other 5xx, reset, timeout</td><td>in doubt, see below</td></tr>
 * <tr><td>other 4xx, other 3xx</td><td>FAILED; UNKNOWN when an earlier send is in doubt</td></tr>
 * <tr><td>not connected</td><td>RETRYABLE: certainly not sent</td></tr>
 * </table>
 *
 * <p>In doubt: KEYED and PROBEABLE are RETRYABLE, since the next attempt finds out safely; OPAQUE is UNKNOWN, or RETRYABLE on
 * a route set to at-least-once.
 */
final class Classification {
    private final Recovery recovery;
    private final boolean doubtBefore;

    /** @param doubtBefore an earlier send of the same effect may have taken effect */
    Classification(Recovery recovery, boolean doubtBefore) {
        this.recovery = recovery;
        this.doubtBefore = doubtBefore;
    }

    /** The verdict over a response. */
    Verdict response(int status, Optional<String> reference, Optional<Duration> retryAfter) {
        String said = "receiver answered HTTP " + status;
        if (status >= 200 && status < 300) {
            return new Verdict(Result.SUCCEEDED, said, reference, Optional.empty(), false);
        }
        return switch (status) {
            case 425, 429 -> Verdict.retry(said, retryAfter, doubtBefore);
            case 408, 503 ->
                retryAfter.isPresent() ? Verdict.retry(said, retryAfter, doubtBefore) : inDoubt(said, retryAfter);
            case 409 -> conflict(said, retryAfter);
            case 303 -> inDoubt(said + ", which also follows what was carried out", retryAfter);
            default -> status >= 500 ? inDoubt(said, retryAfter) : refused(said);
        };
    }

    /** The verdict over a request of which nothing reached the receiver. */
    Verdict notSent(String why) {
        return Verdict.retry(why + "; certainly not sent", Optional.empty(), doubtBefore);
    }

    /** The verdict over a request that cannot be sent at all. */
    Verdict refused(String why) {
        return doubtBefore
                ? new Verdict(
                        Result.UNKNOWN,
                        why + ", but an earlier attempt of the same effect may have taken effect",
                        Optional.empty(),
                        Optional.empty(),
                        true)
                : Verdict.certain(Result.FAILED, why);
    }

    /** The verdict over a request that may have taken effect. */
    Verdict inDoubt(String why, Optional<Duration> retryAfter) {
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

    private Verdict conflict(String said, Optional<Duration> retryAfter) {
        return switch (recovery) {
            case Recovery.Keyed keyed ->
                Verdict.retry(said + ": an earlier send with the same key is being worked on", retryAfter, true);
            case Recovery.Probeable probeable -> inDoubt(said + ", perhaps with the effect itself", retryAfter);
            case Recovery.Opaque opaque -> inDoubt(said + ", perhaps with the effect itself", retryAfter);
            case Recovery.Local local -> refused(said);
        };
    }

    private static Duration longer(Recovery.Probeable probeable, Optional<Duration> retryAfter) {
        return retryAfter
                .filter(asked -> asked.compareTo(probeable.settle()) > 0)
                .orElse(probeable.settle());
    }
}
