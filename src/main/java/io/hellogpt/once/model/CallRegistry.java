package io.hellogpt.once.model;

import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.Life;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.RequestId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The calls of this process by request_id: those that run, those whose result is not in the journal yet, and the last ones
 * that are. It belongs to the process, not to a task, so that a task that comes back finds its call again and pays once.
 */
final class CallRegistry {
    /** Enough to cover the calls of a few minutes; one entry is about 200 bytes. */
    private static final int REMEMBERED = 20_000;

    /** How long a result in the journal is remembered at least: the task that reads it may be late by an outage. */
    private static final Duration REMEMBERED_FOR = Duration.ofMinutes(2);

    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<RequestId, CallEntry> live = new HashMap<>();
    private final LinkedHashMap<RequestId, Journaled> journaled = new LinkedHashMap<>();

    /** A result counts for the attempts up to {@code attempt}. */
    private record Journaled(int attempt, Life life, Instant until) {}

    CallRegistry(Clock clock) {
        this.clock = clock;
    }

    /** The entry of a new call, or empty when this process already has one that counts for it. */
    Optional<CallEntry> admit(int partition, ModelCall call, long epoch) {
        lock.lock();
        try {
            CallEntry running = live.get(call.id());
            if (running != null && running.phase() != CallEntry.Phase.CANCELLED) {
                if (running.call.life().equals(call.life())) {
                    running.raiseAttempt(call.attempt());
                    return Optional.empty();
                }
                // Another request of the id was called for, by a step that was aborted. Its answer is of no use to this
                // one.
                running.giveUp(CallEntry.Phase.CANCELLED);
            }
            forgetOld();
            Journaled earlier = journaled.get(call.id());
            boolean sameRequest = earlier != null && earlier.life().equals(call.life());
            if (sameRequest && earlier.attempt() >= call.attempt()) {
                return Optional.empty();
            }
            CallEntry entry = new CallEntry(partition, call, epoch, Duration.between(clock.instant(), call.deadline()));
            live.put(call.id(), entry);
            return Optional.of(entry);
        } finally {
            lock.unlock();
        }
    }

    void runsOn(CallEntry entry, Thread thread) {
        locked(() -> entry.runsOn(thread));
    }

    /** The call has its result: from here on it is not interrupted. */
    CallEntry.Phase end(CallEntry entry) {
        lock.lock();
        try {
            entry.end();
            return entry.phase();
        } finally {
            lock.unlock();
        }
    }

    int attempt(CallEntry entry) {
        lock.lock();
        try {
            return entry.attempt();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The journal has acknowledged the entry's result as that of {@code attempt}.
     *
     * @param answered an answer counts for every attempt; an error only for its own
     * @return false when a later start has attached meanwhile and waits for the result under its own number
     */
    boolean settle(CallEntry entry, int attempt, boolean answered) {
        lock.lock();
        try {
            if (!answered && entry.attempt() > attempt) {
                return false;
            }
            journaled.remove(entry.id());
            int counted = answered ? Integer.MAX_VALUE : entry.attempt();
            journaled.put(entry.id(), new Journaled(counted, entry.call.life(), rememberedUntil(entry)));
            remove(entry);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counted from now and not from the call's start: after an outage of the journal the call's deadline is long past, and its
     * timer may fire before the result is read.
     */
    private Instant rememberedUntil(CallEntry entry) {
        Duration period = entry.timeout.compareTo(REMEMBERED_FOR) > 0 ? entry.timeout : REMEMBERED_FOR;
        return clock.instant().plus(period);
    }

    /** Nothing will be journaled for the entry any more; without effect on one that was settled. */
    void drop(CallEntry entry) {
        locked(() -> remove(entry));
    }

    boolean cancel(RequestId id) {
        lock.lock();
        try {
            CallEntry entry = live.get(id);
            return entry != null && entry.giveUp(CallEntry.Phase.CANCELLED);
        } finally {
            lock.unlock();
        }
    }

    void abandonAll() {
        locked(() -> live.values().forEach(entry -> entry.giveUp(CallEntry.Phase.ABANDONED)));
    }

    /** Calls of a partition whose result is still to come to the journal. */
    List<JournalRecord.RunningCall> unsettled(int partition) {
        lock.lock();
        try {
            return live.values().stream()
                    .filter(entry -> entry.partition == partition && entry.phase() != CallEntry.Phase.CANCELLED)
                    .map(CallEntry::asRunning)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    int count(CallEntry.Phase phase) {
        lock.lock();
        try {
            return (int) live.values().stream()
                    .filter(entry -> entry.phase() == phase)
                    .count();
        } finally {
            lock.unlock();
        }
    }

    private void remove(CallEntry entry) {
        // A cancelled call may have been replaced by a new one of the same request.
        live.remove(entry.id(), entry);
    }

    private void forgetOld() {
        Instant now = clock.instant();
        var oldest = journaled.values().iterator();
        while (oldest.hasNext()) {
            if (oldest.next().until().isAfter(now) && journaled.size() <= REMEMBERED) {
                return;
            }
            oldest.remove();
        }
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }
}
