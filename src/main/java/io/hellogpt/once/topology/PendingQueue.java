package io.hellogpt.once.topology;

import io.hellogpt.once.core.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The requests of one task that wait for a call: a queue for each model, each in arrival order, so that a model whose limits are
 * reached holds up nobody else's requests. The store holds them; here is the beginning of each queue, read ahead.
 *
 * <p>Reading goes on where it ended, and not from the beginning: what was dispatched stays behind in RocksDB as deleted entries
 * until it compacts, and reading past all of them for every dispatch would make a backlog's cost grow with its square.
 */
final class PendingQueue {
    private static final int AHEAD = 128;
    /** How soon an entry that another stage has put in front is seen. */
    private static final Duration REREAD = Duration.ofSeconds(1);
    /** How soon what only a clock set back can bring about is seen: an entry before those already dispatched. */
    private static final int FULL_REREAD = 60;

    private static final Comparator<Timer> ORDER = Comparator.comparing(Timer::due)
            .thenComparingLong(Timer::sequence)
            .thenComparing(timer -> timer.id().value());

    private final TimerStore timers;
    private final Map<Long, Lane> lanes = new LinkedHashMap<>();
    private Instant readAt = Instant.MIN;
    private long rereads;
    private int turn;

    PendingQueue(TimerStore timers) {
        this.timers = timers;
    }

    /** The queue of one model. */
    static final class Lane {
        final long id;
        /** The queue's beginning; all of it when {@link #complete}, else what stands up to {@link #until}. */
        private final TreeSet<Timer> ahead = new TreeSet<>(ORDER);

        private boolean complete;
        private Optional<Timer> until = Optional.empty();
        /** Nothing stands before this time. */
        private Instant floor = Instant.EPOCH;

        private Optional<Waiting> front = Optional.empty();

        private Lane(long id) {
            this.id = id;
        }

        /** One of which nothing stands in the store, as far as is known. */
        private static Lane empty(long id) {
            Lane lane = new Lane(id);
            lane.complete = true;
            return lane;
        }
    }

    /** The request at the front of a lane, and what its call would take: asked again and again, so it is not read each time. */
    record Waiting(Timer timer, ModelGateway.Demand demand) {}

    /** A request begins to wait, or waits again. */
    void added(long laneId, Timer timer) {
        Lane lane = lanes.computeIfAbsent(laneId, Lane::empty);
        if (timer.due().isBefore(lane.floor)) {
            lane.floor = timer.due();
        }
        boolean withinWhatWasRead = lane.complete
                || lane.until.filter(last -> ORDER.compare(timer, last) <= 0).isPresent();
        if (withinWhatWasRead) {
            lane.ahead.add(timer);
            trim(lane);
        }
    }

    private static void trim(Lane lane) {
        if (lane.ahead.size() > 2 * AHEAD) {
            while (lane.ahead.size() > AHEAD) {
                lane.ahead.pollLast();
            }
            lane.complete = false;
            lane.until = Optional.of(lane.ahead.last());
        }
    }

    /** Whether a request of the lane is due and waits; a new one must not overtake it. */
    boolean waits(long laneId, Instant now) {
        refresh(now);
        Lane lane = lanes.get(laneId);
        return lane != null && next(lane, now).isPresent();
    }

    /** The lanes in which a request is due, each call beginning with another one. */
    List<Lane> due(Instant now) {
        refresh(now);
        lanes.values().removeIf(lane -> next(lane, Instant.MAX).isEmpty());
        List<Lane> due = new ArrayList<>(lanes.values());
        due.removeIf(lane -> next(lane, now).isEmpty());
        if (!due.isEmpty()) {
            Collections.rotate(due, -(turn++ % due.size()));
        }
        return due;
    }

    /** The first request of the lane that is due. */
    Optional<Timer> next(Lane lane, Instant now) {
        if (lane.ahead.isEmpty() && !lane.complete) {
            readOn(lane);
        }
        return lane.ahead.isEmpty()
                ? Optional.empty()
                : Optional.of(lane.ahead.first()).filter(first -> !first.due().isAfter(now));
    }

    private void readOn(Lane lane) {
        List<Timer> read = lane.until
                .map(last -> timers.pendingAfter(lane.id, last, AHEAD))
                .orElseGet(() -> timers.pendingFrom(lane.id, lane.floor, AHEAD));
        lane.ahead.addAll(read);
        lane.complete = read.size() < AHEAD;
        lane.until = read.isEmpty() ? lane.until : Optional.of(read.getLast());
    }

    Optional<Waiting> front(Lane lane, Timer timer) {
        return lane.front.filter(waiting -> waiting.timer().equals(timer));
    }

    void front(Lane lane, Waiting waiting) {
        lane.front = Optional.of(waiting);
    }

    /** The request no longer waits. */
    void removed(Lane lane, Timer timer) {
        lane.ahead.remove(timer);
        lane.floor = timer.due();
    }

    /** Entries in memory. */
    int size() {
        return lanes.values().stream().mapToInt(lane -> lane.ahead.size()).sum();
    }

    /** Other stages write to the store as well: an operator's retry stands there and not here. */
    private void refresh(Instant now) {
        boolean clockSetBack = now.isBefore(readAt);
        if (!clockSetBack && Duration.between(readAt, now).compareTo(REREAD) < 0) {
            return;
        }
        readAt = now;
        boolean fully = clockSetBack || rereads++ % FULL_REREAD == 0;
        if (fully) {
            timers.lanes().forEach(id -> lanes.computeIfAbsent(id, Lane::new));
        }
        for (Lane lane : lanes.values()) {
            lane.ahead.clear();
            lane.complete = false;
            lane.until = Optional.empty();
            lane.floor = fully ? Instant.EPOCH : lane.floor;
        }
    }
}
