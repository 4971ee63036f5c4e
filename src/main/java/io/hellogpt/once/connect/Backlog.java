package io.hellogpt.once.connect;

import io.hellogpt.once.connect.RouteQueue.Kind;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.config.TaskSettings;
import io.hellogpt.once.core.SourcePosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * What a task has read and not finished, by route; which of it may be started is a matter of {@link RequestOrder} and of what
 * each route may have in flight.
 *
 * <p>Safe for several threads.
 */
final class Backlog {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition toConclude = lock.newCondition();
    private final Condition toCall = lock.newCondition();
    private final Condition finished = lock.newCondition();
    private final Map<String, RouteQueue> routes = new HashMap<>();
    /** Effects of routes nobody has set up; they are only answered. */
    private final RouteQueue unrouted = new RouteQueue(Kind.CONCLUDED, Integer.MAX_VALUE);

    private final List<RouteQueue> all = new ArrayList<>();
    private final TaskSettings settings;
    private final Map<SourcePosition, Work> unfinished = new HashMap<>();
    private final RequestOrder order = new RequestOrder();
    private boolean closed;

    Backlog(Map<String, Route> routes, TaskSettings settings) {
        this.settings = settings;
        routes.forEach((name, route) -> this.routes.put(
                name,
                switch (route) {
                    case Route.Billing billing -> new RouteQueue(Kind.CONCLUDED, Integer.MAX_VALUE);
                    case Route.Remote remote -> new RouteQueue(Kind.CALLED, remote.maxInFlight());
                }));
        all.addAll(this.routes.values());
        all.add(unrouted);
    }

    /** Takes a work in; when the same record is still being worked on since before a rebalance, its end is this one's too. */
    void add(Work work, PartitionOffsets.Ticket ticket) {
        lock.lock();
        try {
            Work same = unfinished.get(work.delivery().position());
            if (same != null) {
                same.tickets.add(ticket);
                same.dropped = false;
                return;
            }
            work.tickets.add(ticket);
            unfinished.put(work.delivery().position(), work);
            RouteQueue queue = queue(work);
            queue.added(work);
            if (order.admit(work)) {
                ready(queue, work);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Works whose outcome comes from the database; waits for some, and is empty once closed. */
    List<Work> takeToConclude(int most) throws InterruptedException {
        return take(Kind.CONCLUDED, toConclude, most);
    }

    /** Works to be claimed and called now, as far as their routes' bounds allow; waits for some, and is empty once closed. */
    List<Work> takeToCall(int most) throws InterruptedException {
        return take(Kind.CALLED, toCall, most);
    }

    private List<Work> take(Kind kind, Condition arrival, int most) throws InterruptedException {
        lock.lock();
        try {
            List<Work> taken = new ArrayList<>();
            while (!closed && taken.isEmpty()) {
                collect(kind, most, taken);
                if (taken.isEmpty()) {
                    arrival.await();
                }
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** One of each route in turn, so that no route fills the batch alone. */
    private void collect(Kind kind, int most, List<Work> taken) {
        boolean found = true;
        while (found && taken.size() < most) {
            found = false;
            for (RouteQueue queue : all) {
                Work work = queue.kind == kind && taken.size() < most ? queue.start() : null;
                if (work != null) {
                    taken.add(work);
                    found = true;
                }
            }
        }
    }

    /** The call is over, though its outcome is not stored yet: the route may get the next one. */
    void callEnded(Work work) {
        lock.lock();
        try {
            queue(work).callEnded(work);
            toCall.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing was done about the works; they come up again, or are dropped when their partition is gone. */
    void putBack(List<Work> works) {
        lock.lock();
        try {
            for (int i = works.size() - 1; i >= 0; i--) {
                Work work = works.get(i);
                RouteQueue queue = queue(work);
                queue.putBack(work);
                if (work.dropped || closed) {
                    queue.ready.remove(work);
                    forget(work);
                } else {
                    signal(queue);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The brokers have the outcome. */
    void finish(Work work) {
        lock.lock();
        try {
            work.tickets.forEach(PartitionOffsets.Ticket::done);
            forget(work);
        } finally {
            lock.unlock();
        }
    }

    private void forget(Work work) {
        if (!unfinished.remove(work.delivery().position(), work)) {
            return;
        }
        queue(work).removed(work);
        order.release(work).forEach(next -> ready(queue(next), next));
        toCall.signal();
        finished.signalAll();
    }

    /** Forgets what is not begun of partitions that are no longer ours; what is begun goes on to its end. */
    void drop(Collection<TopicPartition> partitions) {
        lock.lock();
        try {
            Set<TopicPartition> lost = Set.copyOf(partitions);
            List<Work> theirs = unfinished.values().stream()
                    .filter(work -> lost.contains(work.delivery().topicPartition()))
                    .toList();
            theirs.forEach(work -> work.dropped = true);
            for (Work work : theirs) {
                if (!work.started) {
                    queue(work).ready.remove(work);
                    forget(work);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing of {@code partitions} is being worked on; false when the time is up before. */
    boolean awaitEnd(Collection<TopicPartition> partitions, long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (unfinished.values().stream()
                    .anyMatch(work -> partitions.contains(work.delivery().topicPartition()))) {
                if (left <= 0) {
                    return false;
                }
                left = finished.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Partitions that must not be read on, out of {@code assigned}: a route that has records of theirs is full. */
    Set<TopicPartition> full(Set<TopicPartition> assigned) {
        lock.lock();
        try {
            List<RouteQueue> full =
                    all.stream().filter(queue -> queue.isFull(settings)).toList();
            return assigned.stream()
                    .filter(partition -> full.stream().anyMatch(queue -> queue.holds(partition)))
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    /** Which of the {@code paused} partitions may be read on. */
    Set<TopicPartition> relieved(Set<TopicPartition> paused) {
        lock.lock();
        try {
            List<RouteQueue> busy =
                    all.stream().filter(queue -> !queue.hasRoom(settings)).toList();
            return paused.stream()
                    .filter(partition -> busy.stream().noneMatch(queue -> queue.holds(partition)))
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    /** Of each route, how many works it holds and for how long the oldest has waited. */
    Map<String, Depth> depths(long nowNanos) {
        lock.lock();
        try {
            Map<String, Depth> depths = new HashMap<>();
            routes.forEach((name, queue) -> depths.put(name, new Depth(queue.records(), 0)));
            for (Work work : unfinished.values()) {
                long age =
                        TimeUnit.NANOSECONDS.toMillis(nowNanos - work.delivery().readNanos());
                depths.computeIfPresent(
                        work.effect().route(),
                        (name, depth) -> new Depth(depth.records(), Math.max(depth.oldestMillis(), age)));
            }
            return depths;
        } finally {
            lock.unlock();
        }
    }

    /** @param oldestMillis since the oldest unfinished record was read; 0 when there is none */
    record Depth(int records, long oldestMillis) {}

    /** Starts nothing any more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            toConclude.signalAll();
            toCall.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Partitions with works that are not finished. */
    Set<TopicPartition> partitions() {
        lock.lock();
        try {
            return unfinished.values().stream()
                    .map(work -> work.delivery().topicPartition())
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    private RouteQueue queue(Work work) {
        return Optional.ofNullable(routes.get(work.effect().route())).orElse(unrouted);
    }

    private void ready(RouteQueue queue, Work work) {
        queue.ready.addLast(work);
        signal(queue);
    }

    private void signal(RouteQueue queue) {
        switch (queue.kind) {
            case CONCLUDED -> toConclude.signal();
            case CALLED -> toCall.signal();
        }
    }
}
