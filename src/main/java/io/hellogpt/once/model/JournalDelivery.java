package io.hellogpt.once.model;

import io.hellogpt.once.core.JournalRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
    private final CountDownLatch closed = new CountDownLatch(1);

    JournalDelivery(JournalWriter journal) {
        this.journal = journal;
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
        long backoff = FIRST_BACKOFF_MS;
        while (true) {
            Optional<Throwable> failure = attempt(partition, record, until);
            if (failure.isEmpty()) {
                return Delivery.ACKNOWLEDGED;
            }
            Optional<Delivery> refused = refused(record, failure.get());
            if (refused.isPresent()) {
                return refused.get();
            }
            long left = left(until);
            if (left <= 0 || closed.await(Math.min(backoff, left), TimeUnit.MILLISECONDS)) {
                return Delivery.GIVEN_UP;
            }
            retries.increment();
            LOG.warn(
                    "event=journal_write_failed partition={} record={} cause=\"{}\" action=\"kept and written again\"",
                    partition,
                    name(record),
                    failure.get().toString());
            backoff = Math.min(MAX_BACKOFF_MS, backoff * 2);
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

    /** Ends every wait between two writes. */
    void close() {
        closed.countDown();
    }
}
