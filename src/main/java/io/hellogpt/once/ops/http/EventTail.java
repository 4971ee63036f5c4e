package io.hellogpt.once.ops.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.EventFeed;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows what happens to all requests, on one thread and with one consumer for the instance: {@code lifecycle-events},
 * {@code duplicate-requests} and {@code rejected-requests}, committed records only. Goes on by itself after an error.
 *
 * <p>Under load nobody looks at most of what is read: it is kept as it came, and decoded when somebody asks.
 */
final class EventTail implements EventFeed, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventTail.class);
    private static final List<String> TOPICS =
            List.of(Topics.LIFECYCLE_EVENTS, Topics.DUPLICATE_REQUESTS, Topics.REJECTED_REQUESTS);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration AFTER_AN_ERROR = Duration.ofSeconds(2);
    /** Of each partition, read again at the start, so that a new instance can show the last requests too. */
    private static final long LOOK_BACK = 500;

    private final Properties client;
    private final List<TopicPartition> partitions;
    private final Recent recent = new Recent();
    private final Map<String, Set<Listener>> listeners = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final Thread thread;
    private volatile boolean on = true;
    private volatile KafkaConsumer<byte[], byte[]> consumer;

    EventTail(Properties client, int partitionsOfEach) {
        this.client = client;
        this.partitions = TOPICS.stream()
                .flatMap(topic ->
                        IntStream.range(0, partitionsOfEach).mapToObj(number -> new TopicPartition(topic, number)))
                .toList();
        this.thread = Thread.ofPlatform().daemon().name("event-tail").start(this::run);
    }

    @Override
    public Watch watch(RequestId id) {
        Listener listener = new Listener(id.value());
        // In one step with the removal of the last one, or a listener could be added to a set that is just being
        // dropped.
        listeners.compute(id.value(), (any, all) -> {
            Set<Listener> set = all == null ? ConcurrentHashMap.newKeySet() : all;
            set.add(listener);
            return set;
        });
        return listener;
    }

    @Override
    public List<ObjectNode> recent(int limit, Optional<String> status) {
        return recent.last(limit, status);
    }

    @Override
    public Optional<Instant> acceptedAt(RequestId id) {
        return recent.acceptedAt(id.value());
    }

    private void run() {
        while (on) {
            try (KafkaConsumer<byte[], byte[]> reading = new KafkaConsumer<>(client)) {
                consumer = reading;
                follow(reading);
            } catch (WakeupException | InterruptException stopping) {
                return;
            } catch (KafkaException failed) {
                LOG.warn("event=event_tail_failed action=\"reads on in {} s\"", AFTER_AN_ERROR.toSeconds(), failed);
                pause();
            }
        }
    }

    private void follow(KafkaConsumer<byte[], byte[]> reading) {
        reading.assign(partitions);
        Map<TopicPartition, Long> ends = reading.endOffsets(partitions);
        partitions.forEach(partition -> reading.seek(
                partition, positions.computeIfAbsent(partition, any -> Math.max(0, ends.get(partition) - LOOK_BACK))));
        while (on) {
            for (ConsumerRecord<byte[], byte[]> record : reading.poll(POLL)) {
                hear(record);
                positions.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
            }
        }
    }

    private void hear(ConsumerRecord<byte[], byte[]> record) {
        recent.add(record);
        if (record.key() != null) {
            Set<Listener> waiting = listeners.getOrDefault(new String(record.key(), StandardCharsets.UTF_8), Set.of());
            if (!waiting.isEmpty()) {
                Recent.heard(record).ifPresent(heard -> waiting.forEach(listener -> listener.queue.add(heard)));
            }
        }
    }

    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(AFTER_AN_ERROR.toMillis());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            on = false;
        }
    }

    @Override
    public void close() {
        on = false;
        KafkaConsumer<byte[], byte[]> reading = consumer;
        if (reading != null) {
            reading.wakeup();
        }
        try {
            thread.join(AFTER_AN_ERROR.plus(POLL));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Listener implements Watch {
        private final String id;
        private final BlockingQueue<Heard> queue = new LinkedBlockingQueue<>();

        private Listener(String id) {
            this.id = id;
        }

        @Override
        public Optional<Heard> next(Duration patience) throws InterruptedException {
            return Optional.ofNullable(queue.poll(patience.toMillis(), TimeUnit.MILLISECONDS));
        }

        @Override
        public void close() {
            listeners.computeIfPresent(id, (any, all) -> {
                all.remove(this);
                return all.isEmpty() ? null : all;
            });
        }
    }
}
