package io.hellogpt.once.connect;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * How far each partition may be committed: to the first record that is not done. Records are done in any order.
 *
 * <p>Safe for several threads. What belongs to a partition that was closed since moves no offset, also when the same partition
 * has been opened again: its records are then read, and taken, anew.
 */
final class PartitionOffsets {
    private final Map<TopicPartition, Assignment> open = new HashMap<>();

    /** One partition from one opening to the next closing; counts for each offset how often it was taken and not done. */
    private static final class Assignment {
        private final TreeMap<Long, Integer> pending = new TreeMap<>();
    }

    /** One record as it was read once. */
    final class Ticket {
        private final Assignment assignment;
        private final long offset;
        private boolean done;

        private Ticket(Assignment assignment, long offset) {
            this.assignment = assignment;
            this.offset = offset;
        }

        /** The brokers have the record's outcome, or it has none. */
        void done() {
            synchronized (PartitionOffsets.this) {
                if (!done) {
                    done = true;
                    assignment.pending.computeIfPresent(offset, (at, count) -> count == 1 ? null : count - 1);
                }
            }
        }
    }

    synchronized void open(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> open.put(partition, new Assignment()));
    }

    synchronized void close(Collection<TopicPartition> partitions) {
        partitions.forEach(open::remove);
    }

    /** Notes a record that was read and is not done. */
    synchronized Ticket take(TopicPartition partition, long offset) {
        Assignment assignment = open.computeIfAbsent(partition, absent -> new Assignment());
        assignment.pending.merge(offset, 1, Integer::sum);
        return new Ticket(assignment, offset);
    }

    /**
     * What may be committed.
     *
     * @param consumed how far each partition was read, as the worker tells it
     */
    synchronized Map<TopicPartition, OffsetAndMetadata> committable(Map<TopicPartition, OffsetAndMetadata> consumed) {
        Map<TopicPartition, OffsetAndMetadata> committable = new HashMap<>();
        consumed.forEach((partition, end) -> {
            Assignment assignment = open.get(partition);
            if (assignment != null) {
                boolean all = assignment.pending.isEmpty() || assignment.pending.firstKey() >= end.offset();
                committable.put(partition, all ? end : new OffsetAndMetadata(assignment.pending.firstKey()));
            }
        });
        return committable;
    }
}
