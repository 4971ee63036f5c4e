package io.hellogpt.once.topology;

import io.hellogpt.once.core.Timer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** (kind, due, sequence, request_id) to nothing, read in key order. */
final class TimerStore {
    private static final byte[] NOTHING = {};

    private final KeyValueStore<Bytes, byte[]> store;

    TimerStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    void put(Timer timer) {
        store.put(Keys.of(timer), NOTHING);
    }

    void delete(Timer timer) {
        store.delete(Keys.of(timer));
    }

    /** The first {@code limit} timers of a kind that are due at {@code time}, earliest first. */
    List<Timer> due(Timer.Kind kind, Instant time, int limit) {
        return range(Keys.first(kind), Keys.lastDue(kind, time), limit);
    }

    /** Every timer of a kind. */
    List<Timer> all(Timer.Kind kind) {
        return range(Keys.first(kind), Keys.lastDue(kind, Instant.ofEpochMilli(Long.MAX_VALUE - 1)), Integer.MAX_VALUE);
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
