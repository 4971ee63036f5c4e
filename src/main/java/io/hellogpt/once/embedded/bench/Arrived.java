package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.FromNow;
import io.hellogpt.once.ops.OnceConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;

/** Counts what becomes visible in a topic to a read_committed consumer from now on, and notes when. */
final class Arrived implements AutoCloseable {
    private static final int FETCH_BYTES = 4 << 20;
    private static final long SECOND = 1_000_000_000;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<long[]> marks = new ArrayList<>();
    private final Thread reader;
    private long count;
    private RuntimeException failure;

    private Arrived(KafkaConsumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
        this.reader = Thread.ofPlatform().name("arrived").unstarted(this::read);
    }

    /** Counts in one topic. */
    static Arrived in(OnceConfig client, String topic) {
        return in(client, List.of(topic));
    }

    /** Counts in several. */
    static Arrived in(OnceConfig client, List<String> topics) {
        Properties config = client.reader();
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
        config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
        Arrived arrived = new Arrived(FromNow.open(config, topics));
        arrived.reader.start();
        return arrived;
    }

    private void read() {
        try {
            while (true) {
                add(consumer.poll(Duration.ofMillis(500)).count());
            }
        } catch (WakeupException closed) {
            // That is how close() ends a poll.
        } catch (RuntimeException failed) {
            fail(failed);
        }
    }

    private synchronized void fail(RuntimeException failed) {
        failure = failed;
        notifyAll();
    }

    private synchronized void add(int more) {
        if (more > 0) {
            count += more;
            marks.add(new long[] {System.nanoTime(), count});
            notifyAll();
        }
    }

    synchronized long count() {
        return count;
    }

    /**
     * Waits for so many.
     *
     * @return when they had come, by {@link System#nanoTime}
     * @throws IllegalStateException if they do not come in time, or the topics cannot be read any more
     */
    synchronized long await(long wanted, Duration patience) throws InterruptedException {
        long giveUp = System.nanoTime() + patience.toNanos();
        while (count < wanted) {
            if (failure != null) {
                throw new IllegalStateException("what arrives cannot be read any more", failure);
            }
            long left = (giveUp - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new IllegalStateException("%,d of %,d records came within %s".formatted(count, wanted, patience));
            }
            wait(left);
        }
        return at(wanted)[0];
    }

    /** Records a second between the time the first {@code from} had come and the time {@code to} had. */
    synchronized double perSecond(long from, long to) {
        long[] first = at(from);
        long[] last = at(to);
        return (last[1] - first[1]) / ((last[0] - first[0]) / 1e9);
    }

    /** Records in each whole second from the first record on, to see when a process was warm. */
    synchronized List<Long> eachSecond() {
        List<Long> each = new ArrayList<>();
        long counted = 0;
        long last = 0;
        for (long[] mark : marks) {
            for (long second = each.size() + 1; mark[0] - marks.getFirst()[0] >= second * SECOND; second++) {
                each.add(last - counted);
                counted = last;
            }
            last = mark[1];
        }
        return each;
    }

    /** The longest time in which nothing became visible, between the first record and the last. */
    synchronized double longestGapMillis() {
        double longest = 0;
        for (int i = 1; i < marks.size(); i++) {
            longest = Math.max(longest, (marks.get(i)[0] - marks.get(i - 1)[0]) / 1e6);
        }
        return longest;
    }

    private long[] at(long wanted) {
        return marks.stream().filter(mark -> mark[1] >= wanted).findFirst().orElseThrow();
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            reader.join();
            consumer.close();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
