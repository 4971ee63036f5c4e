package io.hellogpt.once.model;

import io.hellogpt.once.core.JournalRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the journal until it acknowledges. An answer is paid for; as long as the process lives it is not given up because a
 * broker is away.
 */
final class JournalDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(JournalDelivery.class);
    private static final long FIRST_BACKOFF_MS = 50;
    private static final long MAX_BACKOFF_MS = 5_000;

    private final JournalWriter journal;
    private final LongAdder retries = new LongAdder();
    /** Records whose last write failed: the first is reported, the others are of the same outage. */
    private final AtomicInteger failing = new AtomicInteger();

    private final JournalWatch watch;
    private final CountDownLatch closed = new CountDownLatch(1);

    JournalDelivery(JournalWriter journal, Clock clock) {
        this.journal = journal;
        this.watch = new JournalWatch(clock);
    }

    /** What became of a record. */
    enum Delivery {
        ACKNOWLEDGED,
        /** No broker will take a record of this size. */
        TOO_LARGE,
        /** It cannot be encoded; the log says why. */
        UNWRITABLE,
        /** Not acknowledged in time, or before the process ended. It may stand in the journal all the same. */
        GIVEN_UP
    }

    /** Waits as long as it takes; ends without an acknowledgement only after {@link #close}. */
    Delivery write(int partition, JournalRecord record) throws InterruptedException {
        return write(partition, record, Long.MAX_VALUE);
    }

    /** Waits at most {@code limit}. */
    Delivery write(int partition, JournalRecord record, Duration limit) throws InterruptedException {
        return write(partition, record, System.nanoTime() + limit.toNanos());
    }

    private Delivery write(int partition, JournalRecord record, long until) throws InterruptedException {
        long number = watch.begun();
        try {
            Optional<Throwable> failure = attempt(partition, record, until);
            return failure.isEmpty() ? acknowledged() : writeAgain(partition, record, until, failure.get());
        } finally {
            watch.ended(number);
        }
    }

    private Delivery acknowledged() {
        watch.acknowledged();
        return Delivery.ACKNOWLEDGED;
    }

    private Delivery writeAgain(int partition, JournalRecord record, long until, Throwable first)
            throws InterruptedException {
        Optional<Delivery> hopeless = refused(record, first);
        if (hopeless.isPresent()) {
            return hopeless.get();
        }
        reportOnce(partition, record, first);
        try {
            return repeat(partition, record, until);
        } finally {
            if (failing.decrementAndGet() == 0) {
                LOG.info("event=journal_outage_over action=\"every record that failed was written or given up\"");
            }
        }
    }

    private Delivery repeat(int partition, JournalRecord record, long until) throws InterruptedException {
        long backoff = FIRST_BACKOFF_MS;
        while (true) {
            long left = left(until);
            if (left <= 0 || closed.await(Math.min(backoff, left), TimeUnit.MILLISECONDS)) {
                return Delivery.GIVEN_UP;
            }
            retries.increment();
            Optional<Throwable> failure = attempt(partition, record, until);
            if (failure.isEmpty()) {
                return acknowledged();
            }
            Optional<Delivery> refused = refused(record, failure.get());
            if (refused.isPresent()) {
                return refused.get();
            }
            LOG.debug("event=journal_write_failed partition={} record={}", partition, name(record), failure.get());
            backoff = Math.min(MAX_BACKOFF_MS, backoff * 2);
        }
    }

    private void reportOnce(int partition, JournalRecord record, Throwable failure) {
        if (failing.getAndIncrement() == 0) {
            LOG.error(
                    "event=journal_write_failed partition={} record={} cause=\"{}\" action=\"kept and written again, as are"
                            + " those that fail after it; check the brokers and this instance's rights\"",
                    partition,
                    name(record),
                    failure.toString());
        }
    }

    /** What no repetition would change. */
    private static Optional<Delivery> refused(JournalRecord record, Throwable failure) {
        return switch (failure) {
            case RecordTooLargeException tooLarge -> Optional.of(Delivery.TOO_LARGE);
            case RecordBatchTooLargeException tooLarge -> Optional.of(Delivery.TOO_LARGE);
            case SerializationException defect -> {
                LOG.error("event=journal_record_unwritable record={} action=\"not written\"", name(record), defect);
                yield Optional.of(Delivery.UNWRITABLE);
            }
            default -> Optional.empty();
        };
    }

    private Optional<Throwable> attempt(int partition, JournalRecord record, long until) throws InterruptedException {
        CompletableFuture<Long> offset = journal.write(partition, record).toCompletableFuture();
        try {
            offset.get(Math.max(0, left(until)), TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (ExecutionException failed) {
            return Optional.of(failed.getCause());
        } catch (TimeoutException late) {
            return Optional.of(late);
        }
    }

    private static long left(long until) {
        return until == Long.MAX_VALUE ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
    }

    private static String name(JournalRecord record) {
        return switch (record) {
            case JournalRecord.Answered answered -> "answer request_id=" + answered.id();
            case JournalRecord.CallFailed failed -> "error request_id=" + failed.id();
            case JournalRecord.Barrier barrier -> "barrier " + barrier.barrierId();
            case JournalRecord.Handover handover ->
                "handover of " + handover.calls().size() + " calls";
        };
    }

    long retries() {
        return retries.sum();
    }

    /** Since when the journal has taken nothing, when that is too long. */
    Optional<Instant> stuckSince() {
        return watch.stuckSince();
    }

    /** Ends every wait between two writes. */
    void close() {
        closed.countDown();
    }
}
