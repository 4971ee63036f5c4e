package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.FromNow;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Keeps so many requests in the system and no more: a new one is sent for each that is seen to have ended. A request that fails or is
 * rejected ends the loop, since a failure may be faster than what is to be measured.
 */
final class ClosedLoop implements AutoCloseable {
    private static final String PREFIX = "loop-";
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration LATECOMERS = Duration.ofSeconds(2);
    private static final Duration STALLED = Duration.ofMinutes(2);
    private static final List<String> ENDINGS =
            List.of(Topics.COMMITTED_RESULTS, Topics.FAILED_REQUESTS, Topics.REJECTED_REQUESTS);

    private final Load.Kind kind;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread reader;
    private final BitSet ended = new BitSet();
    private int sent;
    private int repeated;
    private boolean stopped;
    private RuntimeException failure;

    /**
     * How the requests have ended.
     *
     * @param ended requests with an ending
     * @param repeated endings beyond the first of their request
     */
    record Tally(int sent, int ended, int repeated) {}

    private ClosedLoop(OnceConfig client, Load.Kind kind) {
        this.kind = kind;
        this.producer = new KafkaProducer<>(client.producer(), new ByteArraySerializer(), new ByteArraySerializer());
        this.consumer = reader(client);
        this.reader = Thread.ofPlatform().name("closed-loop").unstarted(this::read);
    }

    /** Sends the first {@code outstanding} requests and one more for each ending from then on. */
    static ClosedLoop start(OnceConfig client, int outstanding, Load.Kind kind) {
        ClosedLoop loop = new ClosedLoop(client, kind);
        loop.send(outstanding);
        loop.reader.start();
        return loop;
    }

    private static KafkaConsumer<byte[], byte[]> reader(OnceConfig client) {
        Properties config = client.reader();
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
        return FromNow.open(config, ENDINGS);
    }

    private synchronized void send(int count) {
        for (int i = 0; i < count; i++) {
            producer.send(Load.record(PREFIX + sent++, kind), (written, error) -> {
                if (error != null) {
                    fail(new IllegalStateException("a request could not be written", error));
                }
            });
        }
    }

    private void read() {
        try {
            while (true) {
                int news = 0;
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    news += note(record) ? 1 : 0;
                }
                goOn(news);
            }
        } catch (WakeupException closed) {
            // That is how close() ends a poll.
        } catch (RuntimeException broken) {
            fail(broken);
        }
    }

    /** Whether the record is the first ending of a request. */
    private synchronized boolean note(ConsumerRecord<byte[], byte[]> record) {
        if (!record.topic().equals(Topics.COMMITTED_RESULTS)) {
            throw new IllegalStateException(
                    "a request did not succeed: " + record.topic() + " " + RecordJson.read(record.value()));
        }
        String id = new String(record.key(), StandardCharsets.UTF_8);
        int number = Integer.parseInt(id.substring(PREFIX.length()));
        if (ended.get(number)) {
            repeated++;
            return false;
        }
        ended.set(number);
        return true;
    }

    private synchronized void goOn(int news) {
        if (news > 0 && !stopped) {
            send(news);
        }
        notifyAll();
    }

    private synchronized void fail(RuntimeException why) {
        failure = failure == null ? why : failure;
        stopped = true;
        notifyAll();
    }

    /** Requests that have ended so far. */
    synchronized int ended() {
        return ended.cardinality();
    }

    /**
     * Lets it run for a while.
     *
     * @throws IllegalStateException if a request fails meanwhile
     */
    synchronized void run(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toMillis(); left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            requireSound();
            wait(left);
        }
        requireSound();
    }

    /**
     * Waits until so many have ended.
     *
     * @throws IllegalStateException if a request fails, or nothing ends for two minutes
     */
    synchronized void awaitEnded(int wanted) throws InterruptedException {
        int before = ended();
        long lastNews = System.nanoTime();
        while (ended() < wanted) {
            requireSound();
            wait(POLL.toMillis());
            lastNews = ended() > before ? System.nanoTime() : lastNews;
            before = ended();
            if (System.nanoTime() - lastNews > STALLED.toNanos()) {
                throw new IllegalStateException(
                        "%,d of %,d requests have ended, and nothing more ends".formatted(before, sent));
            }
        }
    }

    /**
     * Sends nothing more, waits until every request has ended, and a little longer for what should not come.
     *
     * @throws IllegalStateException as {@link #awaitEnded}
     */
    synchronized Tally drain() throws InterruptedException {
        stopped = true;
        awaitEnded(sent);
        run(LATECOMERS);
        return new Tally(sent, ended(), repeated);
    }

    private void requireSound() {
        if (failure != null) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            reader.join();
            consumer.close();
            producer.close(Duration.ZERO);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
