package io.hellogpt.once.ops.meters;

import io.hellogpt.once.topology.Stores;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** How far the restoring of stores is: {@code once.restore.remaining} by store, and {@code once.restored}. */
public final class RestoreMeters implements StateRestoreListener {
    private final Map<TopicPartition, Remaining> remaining = new ConcurrentHashMap<>();
    private final Counter restored;

    private record Remaining(String store, long records) {}

    public RestoreMeters(MeterRegistry meters) {
        this.restored = Counter.builder("once.restored")
                .description("Records of changelogs that were read to restore stores")
                .register(meters);
        for (String store : Stores.ALL) {
            Gauge.builder("once.restore.remaining", this, self -> self.remaining(store))
                    .description("Records of changelogs still to be read before stores are whole")
                    .tag("store", store)
                    .register(meters);
        }
    }

    private double remaining(String store) {
        return remaining.values().stream()
                .filter(one -> one.store().equals(store))
                .mapToLong(Remaining::records)
                .sum();
    }

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
        remaining.put(changelog, new Remaining(store, Math.max(0, end - start)));
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long batchEnd, long count) {
        restored.increment(count);
        remaining.computeIfPresent(
                changelog, (any, before) -> new Remaining(store, Math.max(0, before.records() - count)));
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long total) {
        remaining.remove(changelog);
    }

    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long total) {
        remaining.remove(changelog);
    }
}
