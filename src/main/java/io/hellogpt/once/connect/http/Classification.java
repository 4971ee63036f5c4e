package io.hellogpt.once.connect.http;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Responses.Meaning;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.receiver.Verdicts;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.time.Duration;
import java.util.Optional;

/** What a response means for an effect of a route's class; the table of it is made by {@link ResponseTable}. */
final class Classification {
    private static final int ACCEPTED = 202;

    private final Route.Contract contract;
    private final Verdicts verdicts;

    Classification(Route.Contract contract, Verdicts verdicts) {
        this.contract = contract;
        this.verdicts = verdicts;
    }

    /** The verdict over a response. */
    Verdict response(int status, Optional<String> reference, Optional<Duration> retryAfter) {
        String said = "receiver answered HTTP " + status;
        return switch (contract.responses().meaning(status)) {
            case SUCCESS -> success(status, said, reference);
            case BUSY -> verdicts.busy(said, retryAfter);
            case BUSY_IF_TOLD ->
                retryAfter.isPresent() ? verdicts.busy(said, retryAfter) : verdicts.inDoubt(said, retryAfter);
            case IN_PROGRESS -> inProgress(said, retryAfter);
            case KEY_REUSE -> verdicts.refused(said + (alarms(status) ? ": the key was used with other content" : ""));
            case GONE -> verdicts.refused(said + ": gone for good; the route is closed");
            case IN_DOUBT -> verdicts.inDoubt(said, retryAfter);
            case REFUSED -> verdicts.refused(said);
        };
    }

    /**
     * The verdict when a probe finds the effect. A receiver that calls back knows what it has only accepted as well, so there the
     * effect awaits its callback, and when that is overdue it stays in doubt: that it is known does not say how it ended.
     *
     * @param overdue the attempt only asks, because the callback did not come
     * @param several more than one attempt before this one may have been sent: what was found need not be all there is
     */
    Verdict found(boolean overdue, boolean several, Optional<String> reference) {
        String said = "probe found it";
        if (contract.callback().isEmpty()) {
            return verdicts.succeeded(said, reference);
        }
        return overdue
                ? verdicts.inDoubt(said + ", but not how it ended, and its callback did not come", Optional.empty())
                : new Verdict(Result.AWAITING_CALLBACK, said, reference, contract.callback(), several);
    }

    /** Whether a status tells of a bug that people must know of. */
    boolean alarms(int status) {
        return contract.responses().meaning(status) == Meaning.KEY_REUSE
                && verdicts.recovery() instanceof Recovery.Keyed;
    }

    private Verdict success(int status, String said, Optional<String> reference) {
        return contract.callback()
                .filter(within -> status == ACCEPTED)
                .map(within -> verdicts.accepted(said, reference, within))
                .orElseGet(() -> verdicts.succeeded(said, reference));
    }

    private Verdict inProgress(String said, Optional<Duration> retryAfter) {
        return verdicts.recovery() instanceof Recovery.Keyed
                ? Verdict.retry(said + ": an earlier send with the same key is being worked on", retryAfter, true)
                : verdicts.inDoubt(said + ", perhaps with the effect itself", retryAfter);
    }
}
