package io.hellogpt.once.model;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal's producer, and its replacement once it is beyond repair: a producer that was refused its id, or was closed by an
 * error, fails every later write, also after the reason is gone.
 */
final class JournalProducer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalProducer.class);

    private final Supplier<Producer<byte[], byte[]>> open;
    private final ReentrantLock replacing = new ReentrantLock();
    private volatile Producer<byte[], byte[]> current;
    private volatile Producer<byte[], byte[]> broken;
    private volatile boolean closed;

    JournalProducer(Supplier<Producer<byte[], byte[]>> open) {
        this.open = open;
        this.current = open.get();
    }

    /**
     * The producer to write with.
     *
     * @throws KafkaException when a new one is needed and cannot be opened; the next call tries again
     * @throws IllegalStateException when this was closed
     */
    Producer<byte[], byte[]> usable() {
        Producer<byte[], byte[]> now = current;
        return now == broken || closed ? replaced() : now;
    }

    private Producer<byte[], byte[]> replaced() {
        replacing.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the journal is closed");
            }
            if (current == broken) {
                // What it had not sent fails now and is written again, so that nothing waits for it.
                current.close(Duration.ZERO);
                current = open.get();
                LOG.info("event=journal_producer_replaced");
            }
            return current;
        } finally {
            replacing.unlock();
        }
    }

    /** A write with {@code used} failed. Takes no lock: the producer's own thread calls it while the producer is being closed. */
    void failed(Producer<byte[], byte[]> used, Throwable failure) {
        if (used == current && isFatal(failure)) {
            broken = used;
        }
    }

    private static boolean isFatal(Throwable failure) {
        return switch (failure) {
            case ClusterAuthorizationException refusedId -> true;
            case TransactionalIdAuthorizationException refusedId -> true;
            case ProducerFencedException replaced -> true;
            case UnsupportedVersionException oldBroker -> true;
            case IllegalStateException closed -> true;
            // A bare one is how the producer says that an earlier error has put it out of service.
            default -> failure.getClass() == KafkaException.class;
        };
    }

    /** Waits for what was written to be acknowledged, at most ten seconds. */
    @Override
    public void close() {
        replacing.lock();
        try {
            closed = true;
            current.close(Duration.ofSeconds(10));
        } finally {
            replacing.unlock();
        }
    }
}
