package io.hellogpt.once.topology;

import io.hellogpt.once.core.Timer;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Reads the store {@code timers} from outside the stream: what is open, told by what it waits for. */
public final class StoredTimers {
    private StoredTimers() {}

    /**
     * Hands over the timers of a kind, in the order of their keys.
     *
     * @param limit how many at most
     * @return how many there were, at most {@code limit}
     */
    public static int each(
            ReadOnlyKeyValueStore<Bytes, byte[]> timers, Timer.Kind kind, int limit, Consumer<Timer> take) {
        int count = 0;
        if (kind == Timer.Kind.PENDING) {
            // A task gives them lanes when it has started; until then they wait all the same.
            count = range(timers, Keys.firstWithoutLane(), Keys.behindWithoutLane(), limit, take);
        }
        return count + range(timers, Keys.first(kind), Keys.behind(kind), limit - count, take);
    }

    private static int range(
            ReadOnlyKeyValueStore<Bytes, byte[]> timers, Bytes from, Bytes to, int limit, Consumer<Timer> take) {
        int count = 0;
        try (KeyValueIterator<Bytes, byte[]> entries = timers.range(from, to)) {
            while (count < limit && entries.hasNext()) {
                take.accept(Keys.timer(entries.next().key));
                count++;
            }
        }
        return count;
    }
}
