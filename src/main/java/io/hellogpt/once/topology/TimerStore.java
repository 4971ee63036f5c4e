package io.hellogpt.once.topology;

import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * (kind, due, sequence, request_id) to nothing, read in key order; a request that waits for a call stands under (lane of its
 * model, due, sequence, request_id).
 */
final class TimerStore {
    private static final byte[] NOTHING = {};

    private final KeyValueStore<Bytes, byte[]> store;
    private final DueTimes dueTimes;

    /** @param dueTimes the task's, told of every timer that is put by whichever of its processors */
    TimerStore(KeyValueStore<Bytes, byte[]> store, DueTimes dueTimes) {
        this.store = store;
        this.dueTimes = dueTimes;
    }

    /** A timer of {@code state}. */
    void put(RequestState state, Timer timer) {
        store.put(key(state, timer), NOTHING);
        dueTimes.put(timer);
    }

    void delete(RequestState state, Timer timer) {
        store.delete(key(state, timer));
    }

    /** A timer that belongs to no state: of an early response. */
    void put(Timer timer) {
        store.put(Keys.of(timer), NOTHING);
        dueTimes.put(timer);
    }

    /** A timer of another kind than PENDING. */
    void delete(Timer timer) {
        store.delete(Keys.of(timer));
    }

    void deletePending(long lane, Timer timer) {
        store.delete(Keys.ofPending(lane, timer));
    }

    /**
     * The first {@code limit} keys, in and behind {@code from}, of requests that have waited since before version 0.1.0, which had no
     * lanes.
     */
    List<Bytes> withoutLane(Bytes from, int limit) {
        List<Bytes> keys = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, Keys.behindWithoutLane())) {
            while (entries.hasNext() && keys.size() < limit) {
                keys.add(entries.next().key);
            }
        }
        return keys;
    }

    void deleteWithoutLane(Bytes key) {
        store.delete(key);
    }

    private static Bytes key(RequestState state, Timer timer) {
        return state instanceof Pending pending && timer.kind() == Timer.Kind.PENDING
                ? Keys.ofPending(Keys.lane(pending.request().model()), timer)
                : Keys.of(timer);
    }

    /** The lanes in which requests wait. Costs one look-up for each. */
    List<Long> lanes() {
        List<Long> lanes = new ArrayList<>();
        Bytes end = Keys.behind(Timer.Kind.PENDING);
        Optional<Bytes> next = first(Keys.first(Timer.Kind.PENDING), end);
        while (next.isPresent()) {
            long lane = Keys.laneOf(next.get());
            lanes.add(lane);
            next = first(Keys.lastPending(lane), end);
        }
        return lanes;
    }

    private Optional<Bytes> first(Bytes from, Bytes to) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, to)) {
            return entries.hasNext() ? Optional.of(entries.next().key) : Optional.empty();
        }
    }

    /** The first {@code limit} waiting requests of a lane behind {@code after}, due or not. */
    List<Timer> pendingAfter(long lane, Timer after, int limit) {
        return range(Keys.successor(Keys.ofPending(lane, after)), Keys.lastPending(lane), limit);
    }

    /** The first {@code limit} waiting requests of a lane that are due at {@code due} or later. */
    List<Timer> pendingFrom(long lane, Instant due, int limit) {
        return range(Keys.firstPending(lane, due), Keys.lastPending(lane), limit);
    }

    /** The first {@code limit} timers of another kind than PENDING that are due at {@code time}, earliest first. */
    List<Timer> due(Timer.Kind kind, Instant time, int limit) {
        if (dueTimes.quiet(kind, time)) {
            return List.of();
        }
        List<Timer> timers = new ArrayList<>();
        Instant next = Instant.MAX;
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(Keys.first(kind), Keys.behind(kind))) {
            while (entries.hasNext() && timers.size() < limit && next == Instant.MAX) {
                Timer timer = Keys.timer(entries.next().key);
                if (timer.due().isAfter(time)) {
                    next = timer.due();
                } else {
                    timers.add(timer);
                }
            }
        }
        if (timers.isEmpty()) {
            dueTimes.nothingBefore(kind, next);
        }
        // Else whoever takes them may leave one where it is, and it is due again at the next look.
        return timers;
    }

    /** Every timer of a kind. */
    List<Timer> all(Timer.Kind kind) {
        return range(Keys.first(kind), Keys.behind(kind), Integer.MAX_VALUE);
    }

    private List<Timer> range(Bytes from, Bytes to, int limit) {
        List<Timer> timers = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, to)) {
            while (entries.hasNext() && timers.size() < limit) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                timers.add(Keys.timer(entry.key));
            }
        }
        return timers;
    }
}
