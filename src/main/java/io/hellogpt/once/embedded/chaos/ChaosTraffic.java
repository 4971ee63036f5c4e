package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.embedded.EmbeddedException;
import io.hellogpt.once.embedded.chaos.Sending.Sender;
import io.hellogpt.once.ops.Settings;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * Sends every request 1 to 5 times, copies seconds to minutes apart, by different clients, with conflicts and garbage among them, until
 * it is told to stop; then sends what copies are left at once. New requests wait while too many are unfinished.
 */
final class ChaosTraffic implements AutoCloseable {
    static final String GIVEN_UP = "given_up_by_java";

    private static final int MOST_UNFINISHED = 300;
    private static final int GARBAGE_ONE_IN = 8;
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Rig rig;
    private final ChaosSettings settings;
    private final IntSupplier unfinished;
    private final Random random;
    private final ChaosRequests requests;
    private final Sender[] senders;
    private final PriorityQueue<Sending> queue = new PriorityQueue<>(Comparator.comparingLong(Sending::atNanos));
    private final Optional<KcatProducer> kcat;
    private final Map<Sender, AtomicLong> sent = new EnumMap<>(Sender.class);
    private final AtomicLong lost = new AtomicLong();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile boolean on = true;
    private int garbage;

    private ChaosTraffic(Rig rig, ChaosSettings settings, IntSupplier unfinished) {
        this.rig = rig;
        this.settings = settings;
        this.unfinished = unfinished;
        this.random = new Random(settings.seed() ^ 0x7aff1cL);
        this.requests = new ChaosRequests(random);
        this.senders = Stream.of(Sender.values())
                .filter(sender -> sender != Sender.LIBRDKAFKA || KcatProducer.isInstalled())
                .toArray(Sender[]::new);
        Stream.of(senders).forEach(sender -> sent.put(sender, new AtomicLong()));
        this.kcat = KcatProducer.isInstalled()
                ? Optional.of(KcatProducer.start(
                        rig.producers().text(Settings.BOOTSTRAP_SERVERS),
                        rig.directory().resolve("logs").resolve("kcat.log")))
                : Optional.empty();
    }

    /** @param unfinished how many requests have no ending at this moment */
    static ChaosTraffic start(Rig rig, ChaosSettings settings, IntSupplier unfinished) {
        ChaosTraffic traffic = new ChaosTraffic(rig, settings, unfinished);
        Thread.ofPlatform().daemon().name("chaos-traffic").start(traffic::run);
        return traffic;
    }

    /** Whether nothing will be sent any more; before {@link #finish} only because it broke down. */
    boolean hasEnded() {
        return end.isDone();
    }

    /** The producer that is librdkafka, where there is one. */
    Optional<KcatProducer> kcat() {
        return kcat;
    }

    /** Records handed to each producer so far, and how many of those of the Java ones no broker has taken in time. */
    Map<String, Long> sent() {
        Map<String, Long> all = new TreeMap<>();
        sent.forEach((sender, records) -> all.put(sender.name().toLowerCase(Locale.ROOT), records.get()));
        all.put(GIVEN_UP, lost.get());
        return all;
    }

    /**
     * Makes no new requests, sends what is left of the others and returns when all is delivered.
     *
     * @throws EmbeddedException if the traffic broke down
     */
    void finish() {
        on = false;
        try {
            end.join();
        } catch (CompletionException e) {
            throw new EmbeddedException(
                    "the traffic broke down: " + e.getCause().getMessage(), e.getCause());
        }
    }

    private void run() {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(rig.producers().producer())) {
            makeAndSend(producer);
            while (!queue.isEmpty()) {
                send(queue.poll(), producer);
            }
            producer.flush();
            kcat.ifPresent(KcatProducer::close);
            end.complete(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end.completeExceptionally(e);
        } catch (RuntimeException e) {
            end.completeExceptionally(e);
        } finally {
            kcat.ifPresent(KcatProducer::close);
        }
    }

    private void makeAndSend(KafkaProducer<byte[], byte[]> producer) throws InterruptedException {
        long nextNew = System.nanoTime();
        while (on) {
            long now = System.nanoTime();
            if (now >= nextNew && unfinished.getAsInt() < MOST_UNFINISHED) {
                make(now);
                nextNew = now + (long) (-Math.log(1 - random.nextDouble()) / settings.perSecond() * 1e9);
            }
            while (!queue.isEmpty() && queue.peek().atNanos() <= System.nanoTime()) {
                send(queue.poll(), producer);
            }
            TimeUnit.NANOSECONDS.sleep(SHORT_NANOS);
        }
    }

    private void make(long now) {
        long latest = settings.latestCopy().toNanos();
        long at = now;
        for (ModelRequest copy : requests.copies()) {
            queue.add(Sending.of(copy, at, senders, random));
            // Half of the copies come at once, the others later.
            at = now + (random.nextBoolean() ? random.nextLong(SHORT_NANOS) : random.nextLong(latest));
        }
        if (random.nextInt(GARBAGE_ONE_IN) == 0) {
            byte[] bytes = requests.garbage(garbage++);
            queue.add(new Sending(now, Sender.JAVA_JSON, "garbage-" + garbage, bytes));
        }
    }

    private void send(Sending sending, KafkaProducer<byte[], byte[]> producer) {
        sent.get(sending.sender()).incrementAndGet();
        if (sending.sender() == Sender.LIBRDKAFKA && kcat.isPresent()) {
            kcat.get().send(sending.key(), sending.value());
            return;
        }
        producer.send(sending.toRecord(Rig.PARTITIONS), (metadata, failure) -> {
            if (failure != null) {
                lost.incrementAndGet();
            }
        });
    }

    /** Sends no more. */
    @Override
    public void close() {
        on = false;
    }
}
