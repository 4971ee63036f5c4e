package io.hellogpt.once.model;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Knows whether the journal takes records: it does not when one has waited {@link #PATIENCE} and none was acknowledged meanwhile.
 * A failed write is not needed for that; a producer whose broker is away says nothing for minutes. Safe for use by several
 * threads.
 */
final class JournalWatch {
    /** Longer than the change of a partition's leader. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Clock clock;
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentSkipListMap<Long, Instant> waiting = new ConcurrentSkipListMap<>();
    private volatile Instant lastAcknowledged = Instant.MIN;

    JournalWatch(Clock clock) {
        this.clock = clock;
    }

    /** A record is about to be written; {@link #ended} must follow. */
    long begun() {
        long number = numbers.incrementAndGet();
        waiting.put(number, clock.instant());
        return number;
    }

    void acknowledged() {
        lastAcknowledged = clock.instant();
    }

    /** Nobody waits for the record any more. */
    void ended(long number) {
        waiting.remove(number);
    }

    /** Since when the journal has taken nothing, once that is longer than {@link #PATIENCE}. */
    Optional<Instant> stuckSince() {
        Map.Entry<Long, Instant> oldest = waiting.firstEntry();
        if (oldest == null) {
            return Optional.empty();
        }
        Instant since = oldest.getValue().isAfter(lastAcknowledged) ? oldest.getValue() : lastAcknowledged;
        return Optional.of(since).filter(start -> !clock.instant().isBefore(start.plus(PATIENCE)));
    }
}
