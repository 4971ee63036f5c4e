package io.hellogpt.once.embedded;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends requests as they arrived in a trace, some of them twice, and measures what the system adds to the model's own latency: from
 * just before the send to the moment a read_committed consumer has the result, less the model call that answered.
 *
 * <p>The arrival times are kept whatever the system does (an open loop): a stall shows as latency, not as fewer requests.
 */
public final class TraceLoad {
    private static final Duration LATEST_REPEAT = Duration.ofSeconds(5);

    private final OnceConfig config;
    private final Plan plan;
    private final Consumer<String> progress;

    /**
     * What to send.
     *
     * @param speed how many times faster than recorded
     * @param duplicates share of requests that are sent a second time, within 5 s
     * @param patience how long to wait for endings after the last request was sent
     */
    public record Plan(List<Arrivals.Arrival> arrivals, double speed, double duplicates, long seed, Duration patience) {
        public Plan {
            arrivals = List.copyOf(arrivals);
            if (speed <= 0 || duplicates < 0 || duplicates > 1) {
                throw new IllegalArgumentException("need speed > 0 and 0 <= duplicates <= 1");
            }
        }
    }

    /** @param progress takes a line about once a second */
    public TraceLoad(OnceConfig config, Plan plan, Consumer<String> progress) {
        this.config = config;
        this.plan = plan;
        this.progress = progress;
    }

    private record Sending(Duration at, String id, Arrivals.Arrival arrival, boolean repeat) {}

    /** Sends everything and waits for every ending, or until patience runs out. */
    public LoadReport run() throws InterruptedException {
        try (EndingWatch watch = EndingWatch.start(config)) {
            long start = System.nanoTime();
            int sent = send(watch, start);
            awaitEndings(watch, sent);
            return watch.report(sent, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    private int send(EndingWatch watch, long start) {
        PriorityQueue<Sending> queue = schedule();
        int requests = plan.arrivals().size();
        int records = queue.size();
        AtomicLong failed = new AtomicLong();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config.producer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            long nextLine = start;
            for (int sent = 0; !queue.isEmpty(); sent++) {
                Sending sending = queue.poll();
                pause(start + sending.at().toNanos());
                if (!sending.repeat()) {
                    watch.sent(sending.id());
                }
                producer.send(record(sending), (metadata, error) -> {
                    if (error != null) {
                        failed.incrementAndGet();
                    }
                });
                if (System.nanoTime() >= nextLine) {
                    progress.accept("sent %,d of %,d records, %,d of %,d requests ended"
                            .formatted(sent + 1, records, watch.ended(), requests));
                    nextLine = System.nanoTime() + Duration.ofSeconds(1).toNanos();
                }
            }
        }
        if (failed.get() > 0) {
            throw new EmbeddedException(failed + " records were not acknowledged by the broker");
        }
        return records;
    }

    private void awaitEndings(EndingWatch watch, int records) throws InterruptedException {
        long giveUp = System.nanoTime() + plan.patience().toNanos();
        while (watch.ended() < plan.arrivals().size() && System.nanoTime() < giveUp) {
            progress.accept("sent all %,d records, %,d of %,d requests ended"
                    .formatted(records, watch.ended(), plan.arrivals().size()));
            watch.awaitMore(Duration.ofSeconds(1));
        }
    }

    private PriorityQueue<Sending> schedule() {
        SplittableRandom random = new SplittableRandom(plan.seed());
        PriorityQueue<Sending> queue = new PriorityQueue<>(Comparator.comparing(Sending::at));
        for (Arrivals.Arrival arrival : plan.arrivals()) {
            Duration at = Duration.ofNanos((long) (arrival.at().toNanos() / plan.speed()));
            String id = "trace-" + UUID.randomUUID();
            queue.add(new Sending(at, id, arrival, false));
            if (random.nextDouble() < plan.duplicates()) {
                queue.add(new Sending(at.plusNanos(random.nextLong(1, LATEST_REPEAT.toNanos())), id, arrival, true));
            }
        }
        return queue;
    }

    private static ProducerRecord<byte[], byte[]> record(Sending sending) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("request_id", sending.id());
        request.put("model", "simulated");
        request.put("input", prompt(sending.id(), sending.arrival().promptTokens()));
        request.putObject("parameters").put("max_tokens", sending.arrival().answerTokens());
        return new ProducerRecord<>(
                Topics.REQUESTS,
                sending.id().getBytes(StandardCharsets.UTF_8),
                request.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** About four characters a token, as English has; the same for the same request, or a repeat would be a conflict. */
    private static String prompt(String id, int tokens) {
        SplittableRandom random = new SplittableRandom(id.hashCode());
        List<String> words = new ArrayList<>(tokens);
        for (int i = 0; i < tokens; i++) {
            words.add(Integer.toString(random.nextInt(36 * 36, 36 * 36 * 36), 36));
        }
        return String.join(" ", words);
    }

    private static void pause(long until) {
        long left = until - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = until - System.nanoTime();
        }
    }
}
