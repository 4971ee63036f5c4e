package io.hellogpt.once.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The model calls of a request up to now.
 *
 * @param calls started so far
 * @param failures those that failed and count against the limit
 * @param failingSince from when on the elapsed time is counted: the start of the first call that failed and counts. Moves with
 *     every wait that is not the model's fault
 */
public record CallHistory(int calls, int failures, Optional<Instant> failingSince, Optional<String> lastError) {
    static final CallHistory NONE = new CallHistory(0, 0, Optional.empty(), Optional.empty());

    public CallHistory {
        Objects.requireNonNull(failingSince, "failingSince");
        Objects.requireNonNull(lastError, "lastError");
    }

    /** The next call starts. A retry that had to wait for a slot, or for the end of a pause, has lost no time by that. */
    CallHistory started(Instant dueAt, Instant startedAt) {
        return running(calls + 1, dueAt, startedAt);
    }

    /** A call of that number runs elsewhere, since {@code knownAt} as far as is known: until then the request has waited. */
    CallHistory adopted(int attempt, Instant dueAt, Instant knownAt) {
        return running(attempt, dueAt, knownAt);
    }

    /** The call that is under way has that number, and runs elsewhere: nothing has waited. */
    CallHistory handedOver(int attempt) {
        return new CallHistory(attempt, failures, failingSince, lastError);
    }

    private CallHistory running(int attempt, Instant dueAt, Instant startedAt) {
        Duration waited = startedAt.isAfter(dueAt) ? Duration.between(dueAt, startedAt) : Duration.ZERO;
        return new CallHistory(attempt, failures, failingSince.map(since -> since.plus(waited)), lastError);
    }

    /**
     * The call failed.
     *
     * @param unattended for how long after the call's time was over nobody looked: the process was down, or its clock jumped
     */
    CallHistory failed(Instant startedAt, Duration unattended, String error) {
        Instant since = failingSince.orElse(startedAt).plus(unattended);
        return new CallHistory(calls, failures + 1, Optional.of(since), Optional.of(error));
    }

    /** It says nothing about the request, nor does the time it took. */
    CallHistory lost(String error) {
        return new CallHistory(calls, failures, Optional.empty(), Optional.of(error));
    }

    /** A person gives it another round. */
    CallHistory newRound() {
        return new CallHistory(calls, 0, Optional.empty(), lastError);
    }
}
