package io.hellogpt.once.model;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What the gateway is doing, for people, health checks and meters.
 *
 * @param reason why it does not dispatch, when it does not; for people
 * @param since when {@code state} began
 * @param slots {@code model.max.in.flight}
 * @param slotsTaken reserved or in use
 * @param running calls without a result
 * @param awaitingJournal calls whose result is not yet acknowledged by the journal; more than a few for more than a moment
 *     means that the broker cannot be written to
 */
public record GatewayStatus(
        State state,
        Optional<String> reason,
        Instant since,
        int slots,
        int slotsTaken,
        int running,
        int awaitingJournal,
        Counters counters) {
    public GatewayStatus {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(counters, "counters");
    }

    /** Ready to take all requests further: no model paused, not closing. */
    public boolean dispatching() {
        return state == State.DISPATCHING;
    }

    /** Whether and why calls are started. */
    public enum State {
        /** Calls are started as slots are free. */
        DISPATCHING,
        /** The provider refuses the key; requests wait, one call at a time probes. */
        PAUSED_UNAUTHORIZED,
        /** Most recent calls of a model failed; its requests wait, one call at a time probes. Other models' calls are started. */
        CIRCUIT_OPEN,
        /** The journal has taken no record for some time: answers could not be kept; requests wait. */
        JOURNAL_UNAVAILABLE,
        /** The process is stopping: running calls may end, no new ones are started. */
        DRAINING,
        /** Nothing runs any more. */
        CLOSED
    }

    /**
     * Counts since the process started.
     *
     * @param started calls made
     * @param attached starts that found their call running or its result not yet read
     * @param answered calls that gave an answer
     * @param failed calls that gave an error
     * @param cancelled calls given up because nobody wanted the answer any more
     * @param journalRetries writes to the journal that had to be repeated
     */
    public record Counters(
            long started, long attached, long answered, long failed, long cancelled, long journalRetries) {}
}
