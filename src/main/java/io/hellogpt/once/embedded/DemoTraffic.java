package io.hellogpt.once.embedded;

import io.hellogpt.once.ops.OnceConfig;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * Sends the demo's records from a thread of its own: evenly spread over the time it has, and slower where the system does not keep up,
 * so that also on a slow machine there is work of every kind at any moment.
 */
final class DemoTraffic implements AutoCloseable {
    private static final int MOST_UNANSWERED = 200;
    private static final long WAIT_MILLIS = 20;

    private final DemoPlan plan;
    private final int partitions;
    private final Duration length;
    private final IntSupplier answered;
    private final Thread thread;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private DemoTraffic(OnceConfig config, DemoPlan plan, int partitions, Duration length, IntSupplier answered) {
        this.plan = plan;
        this.partitions = partitions;
        this.length = length;
        this.answered = answered;
        this.thread = Thread.ofPlatform().daemon().name("demo-traffic").unstarted(() -> run(config));
    }

    /** @param answered how many records have had their last word so far */
    static DemoTraffic start(OnceConfig config, DemoPlan plan, int partitions, Duration length, IntSupplier answered) {
        DemoTraffic traffic = new DemoTraffic(config, plan, partitions, length, answered);
        traffic.thread.start();
        return traffic;
    }

    /** Records the broker has taken. */
    int acknowledged() {
        return acknowledged.get();
    }

    /**
     * Whether all has been sent and acknowledged.
     *
     * @throws EmbeddedException if a record was not
     */
    boolean isDone() {
        if (end.isCompletedExceptionally()) {
            throw new EmbeddedException("a request could not be sent", end.exceptionNow());
        }
        return end.isDone();
    }

    /** Sends no more. */
    @Override
    public void close() {
        thread.interrupt();
    }

    private void run(OnceConfig config) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config.producer())) {
            long started = System.nanoTime();
            for (int i = 0; i < plan.records().size(); i++) {
                long due = started + length.toNanos() * i / plan.records().size();
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                while (i - answered.getAsInt() >= MOST_UNANSWERED) {
                    TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
                }
                producer.send(plan.records().get(i).toRecord(partitions), (metadata, failure) -> {
                    if (failure == null) {
                        acknowledged.incrementAndGet();
                    } else {
                        end.completeExceptionally(failure);
                    }
                });
            }
            producer.flush();
            end.complete(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end.completeExceptionally(e);
        } catch (RuntimeException e) {
            end.completeExceptionally(e);
        }
    }
}
