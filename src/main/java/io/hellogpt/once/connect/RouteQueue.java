package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.TaskSettings;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** The works of one route. Guarded by {@link Backlog}'s lock. */
final class RouteQueue {
    /** Where a work's outcome comes from: the ledger's own database, or a receiver. */
    enum Kind {
        CONCLUDED,
        CALLED
    }

    final Kind kind;
    final ArrayDeque<Work> ready = new ArrayDeque<>();
    private final int maxInFlight;
    private final Map<TopicPartition, Integer> held = new HashMap<>();
    private int records;
    private long bytes;
    private int inFlight;

    RouteQueue(Kind kind, int maxInFlight) {
        this.kind = kind;
        this.maxInFlight = maxInFlight;
    }

    void added(Work work) {
        records++;
        bytes += work.bytes();
        held.merge(work.delivery().topicPartition(), 1, Integer::sum);
    }

    void removed(Work work) {
        records--;
        bytes -= work.bytes();
        held.computeIfPresent(work.delivery().topicPartition(), (at, count) -> count == 1 ? null : count - 1);
        callEnded(work);
    }

    /** The next work that may be started, or null. */
    Work start() {
        if (inFlight >= maxInFlight) {
            return null;
        }
        Work work = ready.pollFirst();
        if (work != null) {
            work.started = true;
            work.inFlight = true;
            inFlight++;
        }
        return work;
    }

    void putBack(Work work) {
        callEnded(work);
        work.started = false;
        ready.addFirst(work);
    }

    void callEnded(Work work) {
        if (work.inFlight) {
            work.inFlight = false;
            inFlight--;
        }
    }

    boolean canStart() {
        return !ready.isEmpty() && inFlight < maxInFlight;
    }

    /** At its bound, and with records of {@code partition} in it. */
    boolean holds(TopicPartition partition) {
        return held.containsKey(partition);
    }

    boolean isFull(TaskSettings settings) {
        return records >= settings.queueRecords() || bytes >= settings.queueBytes();
    }

    /** Down to half of its bound: reading may go on. */
    boolean hasRoom(TaskSettings settings) {
        return records <= settings.queueRecords() / 2 && bytes <= settings.queueBytes() / 2;
    }

    int records() {
        return records;
    }
}
