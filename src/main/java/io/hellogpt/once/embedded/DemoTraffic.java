package io.hellogpt.once.embedded;

import io.hellogpt.once.ops.OnceConfig;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;

/** Sends the demo's records, evenly spread over the time it has, from a thread of its own. */
final class DemoTraffic {
    private final DemoPlan plan;
    private final int partitions;
    private final Duration length;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private DemoTraffic(DemoPlan plan, int partitions, Duration length) {
        this.plan = plan;
        this.partitions = partitions;
        this.length = length;
    }

    static DemoTraffic start(OnceConfig config, DemoPlan plan, int partitions, Duration length) {
        DemoTraffic traffic = new DemoTraffic(plan, partitions, length);
        Thread.ofPlatform().daemon().name("demo-traffic").start(() -> traffic.run(config));
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

    private void run(OnceConfig config) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config.producer())) {
            long started = System.nanoTime();
            for (int i = 0; i < plan.records().size(); i++) {
                long due = started + length.toNanos() * i / plan.records().size();
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
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
