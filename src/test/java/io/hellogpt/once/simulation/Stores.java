package io.hellogpt.once.simulation;

import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.StoreView;
import io.hellogpt.once.core.Timer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The four stores of the task. Writes since the last commit can be taken back. */
final class Stores implements StoreView {
    private static final Comparator<Timer> KEY_ORDER = Comparator.comparing(Timer::kind)
            .thenComparing(Timer::due)
            .thenComparingLong(Timer::sequence)
            .thenComparing(Timer::id);

    private final Map<RequestId, RequestState> requests = new LinkedHashMap<>();
    private final Map<RequestId, Snapshot> snapshots = new HashMap<>();
    private final Map<RequestId, EarlyResponse> early = new HashMap<>();
    private final TreeSet<Timer> timers = new TreeSet<>(KEY_ORDER);
    private final List<Runnable> undo = new ArrayList<>();

    @Override
    public Optional<RequestState> state(RequestId id) {
        return Optional.ofNullable(requests.get(id));
    }

    @Override
    public Optional<Snapshot> snapshot(RequestId id) {
        return Optional.ofNullable(snapshots.get(id));
    }

    @Override
    public Optional<EarlyResponse> early(RequestId id) {
        return Optional.ofNullable(early.get(id));
    }

    List<RequestState> states() {
        return List.copyOf(requests.values());
    }

    void put(RequestState state) {
        put(requests, state.id(), state);
    }

    void put(Snapshot snapshot) {
        put(snapshots, snapshot.id(), snapshot);
    }

    void put(EarlyResponse response) {
        put(early, response.id(), response);
    }

    void put(Timer timer) {
        if (timers.add(timer)) {
            undo.add(() -> timers.remove(timer));
        }
    }

    void deleteRequest(RequestId id) {
        delete(requests, id);
        delete(snapshots, id);
    }

    void deleteEarly(RequestId id) {
        delete(early, id);
    }

    void delete(Timer timer) {
        if (timers.remove(timer)) {
            undo.add(() -> timers.add(timer));
        }
    }

    private <V> void put(Map<RequestId, V> map, RequestId id, V value) {
        V before = map.put(id, value);
        undo.add(() -> restore(map, id, before));
    }

    private <V> void delete(Map<RequestId, V> map, RequestId id) {
        V before = map.remove(id);
        if (before != null) {
            undo.add(() -> restore(map, id, before));
        }
    }

    private static <V> void restore(Map<RequestId, V> map, RequestId id, V before) {
        if (before == null) {
            map.remove(id);
        } else {
            map.put(id, before);
        }
    }

    boolean isDirty() {
        return !undo.isEmpty();
    }

    void commit() {
        undo.clear();
    }

    void abort() {
        for (int i = undo.size() - 1; i >= 0; i--) {
            undo.get(i).run();
        }
        undo.clear();
    }

    /** Timers of a kind that are due, earliest first. */
    List<Timer> due(Timer.Kind kind, Instant time, int limit) {
        List<Timer> due = new ArrayList<>();
        for (Timer timer : timers) {
            if (timer.kind() == kind && !timer.due().isAfter(time) && due.size() < limit) {
                due.add(timer);
            }
        }
        return due;
    }

    boolean anyDue(Timer.Kind kind, Instant time) {
        for (Timer timer : timers) {
            if (timer.kind() == kind) {
                return !timer.due().isAfter(time);
            }
        }
        return false;
    }

    /** The next wall-clock time at which something is due. */
    Optional<Instant> nextWallClock() {
        return timers.stream()
                .filter(timer -> timer.kind() != Timer.Kind.EXPIRY)
                .map(Timer::due)
                .min(Comparator.naturalOrder());
    }

    List<Timer> all(Timer.Kind kind) {
        return due(kind, Instant.MAX, Integer.MAX_VALUE);
    }

    Collection<Timer> timers() {
        return List.copyOf(timers);
    }

    Collection<EarlyResponse> earlyResponses() {
        return List.copyOf(early.values());
    }

    Set<RequestId> snapshots() {
        return Set.copyOf(snapshots.keySet());
    }

    /** How many entries there are in all. */
    int size() {
        return requests.size() + snapshots.size() + early.size() + timers.size();
    }

    void check() {
        StoreRules.check(this);
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        return List.of(requests, snapshots, early, List.copyOf(timers));
    }
}
