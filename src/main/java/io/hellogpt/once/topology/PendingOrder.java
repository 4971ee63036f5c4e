package io.hellogpt.once.topology;

import io.hellogpt.once.core.Timer;
import java.time.Instant;
import org.apache.kafka.common.utils.Bytes;

/** The range of keys in the store {@code timers} under which requests wait for a model call, one key each, for whoever counts them. */
public final class PendingOrder {
    private PendingOrder() {}

    public static Bytes first() {
        return Keys.first(Timer.Kind.PENDING);
    }

    public static Bytes last() {
        return Keys.lastDue(Timer.Kind.PENDING, Instant.ofEpochMilli(Long.MAX_VALUE - 1));
    }
}
