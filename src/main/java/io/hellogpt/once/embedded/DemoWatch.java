package io.hellogpt.once.embedded;

import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Follows what the system says about the demo's records, as any consumer could. Safe for use by several threads. */
final class DemoWatch implements AutoCloseable {
    private static final List<String> FOLLOWED = List.of(
            Topics.LIFECYCLE_EVENTS,
            Topics.COMMITTED_RESULTS,
            Topics.FAILED_REQUESTS,
            Topics.DUPLICATE_REQUESTS,
            Topics.REJECTED_REQUESTS);

    private final Map<String, String> lastState = new ConcurrentHashMap<>();
    private final Set<String> ended = ConcurrentHashMap.newKeySet();
    private final AtomicInteger turnedAway = new AtomicInteger();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile boolean on = true;

    private DemoWatch() {}

    static DemoWatch start(OnceConfig config) {
        DemoWatch watch = new DemoWatch();
        Thread.ofPlatform().daemon().name("demo-watch").start(() -> watch.run(config));
        return watch;
    }

    /** Requests with an ending. */
    int ended() {
        return ended.size();
    }

    /**
     * Records answered without being accepted: duplicates, conflicts and rejects.
     *
     * @throws EmbeddedException if nothing can be read any more
     */
    int turnedAway() {
        if (end.isCompletedExceptionally()) {
            throw new EmbeddedException("the results could not be read", end.exceptionNow());
        }
        return turnedAway.get();
    }

    /** Records that have had their last word. */
    int answered() {
        return ended() + turnedAway.get();
    }

    /** For each request without an ending, where it was seen last. */
    Map<String, String> missing(Set<String> ids) {
        Map<String, String> missing = new TreeMap<>();
        Set<String> open = new TreeSet<>(ids);
        open.removeAll(ended);
        open.forEach(id -> missing.put(id, lastState.getOrDefault(id, "never seen")));
        return missing;
    }

    @Override
    public void close() {
        on = false;
        // A failure has been reported by then, or does not matter any more.
        end.exceptionally(failure -> null).join();
    }

    private void run(OnceConfig config) {
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            List<TopicPartition> partitions = FOLLOWED.stream()
                    .flatMap(topic -> reader.partitions(topic).stream())
                    .toList();
            reader.follow(partitions, true, () -> on, this::note);
            end.complete(null);
        } catch (RuntimeException e) {
            end.completeExceptionally(e);
        }
    }

    private void note(ConsumerRecord<byte[], byte[]> record) {
        String id = RecordJson.read(record.value()).path("request_id").asText();
        switch (record.topic()) {
            case Topics.LIFECYCLE_EVENTS ->
                lastState.put(id, RecordJson.read(record.value()).path("to").asText());
            case Topics.COMMITTED_RESULTS, Topics.FAILED_REQUESTS -> ended.add(id);
            default -> turnedAway.incrementAndGet();
        }
    }
}
