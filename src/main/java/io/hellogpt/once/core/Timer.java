package io.hellogpt.once.core;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Set;

/**
 * An entry of the store {@code timers}. A state says which timers it needs ({@link RequestState#timers()}); the applier writes
 * the difference between a state and its successor.
 *
 * @param due in wall-clock time, except {@link Kind#EXPIRY}, which is in stream time
 * @param sequence breaks ties; the source offset for {@link Kind#PENDING}, so that dispatch is in arrival order
 */
public record Timer(Kind kind, Instant due, long sequence, RequestId id) {
    public Timer {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(due, "due");
        Objects.requireNonNull(id, "id");
        // Stored keys hold milliseconds since the epoch, in an order that only holds from there on.
        due = due.isBefore(Instant.EPOCH) ? Instant.EPOCH : due.truncatedTo(ChronoUnit.MILLIS);
    }

    /** What a state waits for, and the request's own deadline if it has one. */
    static Set<Timer> withDeadline(Identity identity, Timer timer) {
        return identity.deadline()
                .map(deadline -> Set.of(timer, of(Kind.REQUEST_DEADLINE, deadline, identity.id())))
                .orElseGet(() -> Set.of(timer));
    }

    static Timer of(Kind kind, Instant due, RequestId id) {
        return new Timer(kind, due, 0, id);
    }

    /** What is due. The order is that of the stored keys: never reorder, only append. */
    public enum Kind {
        /** A request waits for a free slot; due at once, or after a retry's backoff. */
        PENDING,
        /** A call has given neither answer nor error in time; it is dispatched again. */
        CALL_DEADLINE,
        /** An effect's next attempt, or an outcome that is overdue. */
        EFFECT,
        /** The request's own deadline. */
        REQUEST_DEADLINE,
        /** A held request has waited too long for a person. */
        HOLD,
        /** The dedup window of an ended request closes. */
        EXPIRY,
        /** An early response whose request never came is dropped. */
        STASH
    }
}
