package io.hellogpt.once.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;

/** Reads endings as a user would, read_committed, and notes when each became visible. */
public final class EndingWatch implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, Long> sentAt = new ConcurrentHashMap<>();
    private final Map<String, Integer> endings = new ConcurrentHashMap<>();
    private final List<Long> overModelMicros = new ArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final Semaphore news = new Semaphore(0);
    private final Thread reader;
    private volatile boolean closing;

    private EndingWatch(KafkaConsumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
        this.reader = Thread.ofPlatform().name("ending-watch").unstarted(this::read);
    }

    /** Watches from now on. */
    public static EndingWatch start(OnceConfig config) {
        KafkaConsumer<byte[], byte[]> consumer =
                FromNow.open(config.reader(), List.of(Topics.COMMITTED_RESULTS, Topics.FAILED_REQUESTS));
        EndingWatch watch = new EndingWatch(consumer);
        watch.reader.start();
        return watch;
    }

    /** A request is about to be sent. */
    public void sent(String id) {
        sentAt.put(id, System.nanoTime());
    }

    /** How many of those sent have ended. */
    public int ended() {
        return ended.get();
    }

    /** Waits until something has ended, or the time is over. */
    public void awaitMore(Duration time) throws InterruptedException {
        if (news.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS)) {
            news.drainPermits();
        }
    }

    /** What was seen so far. */
    public LoadReport report(int records, Duration took) {
        synchronized (overModelMicros) {
            return LoadReport.of(sentAt.size(), records, ended.get(), failed.get(), repeated(), overModelMicros, took);
        }
    }

    private int repeated() {
        return (int) endings.values().stream().filter(count -> count > 1).count();
    }

    private void read() {
        try {
            while (!closing) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    note(record, System.nanoTime());
                }
            }
        } catch (WakeupException closed) {
            // That is how close() ends a poll.
        }
    }

    private void note(ConsumerRecord<byte[], byte[]> record, long seenAt) {
        ObjectNode ending = RecordJson.read(record.value());
        String id = ending.path("request_id").asText();
        Long sent = sentAt.get(id);
        if (sent == null || endings.merge(id, 1, Integer::sum) > 1) {
            return;
        }
        if (record.topic().equals(Topics.COMMITTED_RESULTS)) {
            Duration model = Duration.between(time(ending, "started_at"), time(ending, "finished_at"));
            synchronized (overModelMicros) {
                overModelMicros.add((seenAt - sent - model.toNanos()) / 1_000);
            }
        } else {
            failed.incrementAndGet();
        }
        ended.incrementAndGet();
        news.release();
    }

    private static Instant time(ObjectNode ending, String field) {
        return Instant.parse(ending.path("snapshot").path("answer").path(field).asText());
    }

    @Override
    public void close() {
        closing = true;
        consumer.wakeup();
        try {
            reader.join();
            consumer.close();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
