package io.hellogpt.once.ops.http;

import io.hellogpt.once.core.Timer;
import io.hellogpt.once.topology.StoredTimers;
import io.hellogpt.once.topology.Stores;
import java.time.Duration;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Counts the requests of this instance that wait for a model call, now and then. Safe for use by several threads. */
final class Backlog {
    private static final Duration FRESH = Duration.ofSeconds(2);

    private final KafkaStreams streams;
    private final int limit;
    private long countedAt = Long.MIN_VALUE;
    private int count;

    /** @param limit it does not matter how many more there are */
    Backlog(KafkaStreams streams, int limit) {
        this.streams = streams;
        this.limit = limit;
    }

    /** At most the limit; what was counted last while the store cannot be read. */
    synchronized int count() {
        long now = System.nanoTime();
        if (countedAt == Long.MIN_VALUE || now - countedAt > FRESH.toNanos()) {
            countedAt = now;
            try {
                count = counted();
            } catch (InvalidStateStoreException | IllegalStateException moving) {
                return count;
            }
        }
        return count;
    }

    private int counted() {
        ReadOnlyKeyValueStore<Bytes, byte[]> timers =
                streams.store(StoreQueryParameters.fromNameAndType(Stores.TIMERS, QueryableStoreTypes.keyValueStore()));
        return StoredTimers.each(timers, Timer.Kind.PENDING, limit, timer -> {});
    }
}
