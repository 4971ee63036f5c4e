package io.hellogpt.once.topology;

import io.hellogpt.once.core.Timer;
import java.time.Instant;
import java.util.Arrays;

/**
 * When the next timer of each kind in a task's store is due, as far as is known, so that a look that would find none costs nothing.
 * RocksDB must pass every deleted entry in front of the first one that is left, and a task deletes a timer with every call: looking
 * into the store each time would cost more the busier the task is. Used by one task's thread only.
 */
final class DueTimes {
    private static final long UNKNOWN = Long.MIN_VALUE;

    /** Nothing is due before this, in milliseconds since the epoch. */
    private final long[] next = new long[Timer.Kind.values().length];

    DueTimes() {
        forget();
    }

    /** The store may hold anything, as after a start of the task. */
    void forget() {
        Arrays.fill(next, UNKNOWN);
    }

    /** Nothing of the kind is due yet. */
    boolean quiet(Timer.Kind kind, Instant now) {
        return now.toEpochMilli() < next[kind.ordinal()];
    }

    void put(Timer timer) {
        int kind = timer.kind().ordinal();
        next[kind] = Math.min(next[kind], timer.due().toEpochMilli());
    }

    /** The store was read, and the first timer of the kind is due at {@code time}; at {@link Instant#MAX} when there is none. */
    void nothingBefore(Timer.Kind kind, Instant time) {
        next[kind.ordinal()] = time.equals(Instant.MAX) ? Long.MAX_VALUE : time.toEpochMilli();
    }
}
