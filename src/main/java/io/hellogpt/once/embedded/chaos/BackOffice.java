package io.hellogpt.once.embedded.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.embedded.EmbeddedException;
import io.hellogpt.once.embedded.SimulatedReceivers;
import io.hellogpt.once.embedded.chaos.CallbackSender.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Carries out the orders the receivers have taken, writes down which, and calls back: in time, too early, twice, too late, after somebody
 * has forged one, with bad news, and not at all, one after the other. What is to be told is told until it is heard, to whichever instance
 * answers.
 */
final class BackOffice implements AutoCloseable {
    /** Longer than an effect waits for its callback. */
    static final Duration LATE = Routes.CALLBACK.plusSeconds(3);

    static final String REFUSED = "genuine_and_refused";
    static final String FORGED_AND_HEARD = "forged_and_heard";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long ROUND_MILLIS = 50;
    private static final Duration USUAL = Duration.ofSeconds(1);
    private static final int ATTEMPTS = 60;
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(700);

    private final LogFollower orders;
    private final Path log;
    private final CallbackSender sender;
    private final Map<Manner, AtomicLong> done = new EnumMap<>(Manner.class);
    private final AtomicLong unheard = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong forgedAccepted = new AtomicLong();
    private final Set<String> known = new HashSet<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("chaos-back-office").unstarted(this::run);
    private volatile boolean on = true;
    private int number;

    /** How an order is reported. */
    enum Manner {
        IN_TIME,
        BEFORE_THE_RESPONSE,
        TWICE,
        AFTER_THE_DEADLINE,
        AFTER_A_FORGED_ONE,
        AS_FAILED,
        NEVER;

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private BackOffice(Path receivers, Path log, CallbackSender sender) {
        this.orders = new LogFollower(receivers);
        this.log = log;
        this.sender = sender;
        for (Manner manner : Manner.values()) {
            done.put(manner, new AtomicLong());
        }
    }

    /**
     * @param receivers log of those who take the orders
     * @param log of the orders carried out, in the form of the receivers' log
     */
    static BackOffice start(Path receivers, Path log, CallbackSender sender) {
        BackOffice office = new BackOffice(receivers, log, sender);
        try {
            Files.createFile(log);
        } catch (IOException e) {
            throw new EmbeddedException("the log of orders " + log + " could not be made", e);
        }
        office.thread.start();
        return office;
    }

    /**
     * How many orders were reported in each manner, how many callbacks nobody could be told, and, of what must not happen, how many
     * were refused and how many forged ones were not.
     */
    Map<String, Long> callbacks() {
        Map<String, Long> all = new TreeMap<>();
        done.forEach((manner, orders) -> all.put(manner.key(), orders.get()));
        all.put("unheard", unheard.get());
        all.put(REFUSED, refused.get());
        all.put(FORGED_AND_HEARD, forgedAccepted.get());
        return all;
    }

    private void run() {
        try {
            while (on) {
                orders.next().forEach(this::take);
                TimeUnit.MILLISECONDS.sleep(ROUND_MILLIS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** An order comes again when its sender does not know that it was heard; it is the same order. */
    private void take(String line) {
        try {
            JsonNode entry = JSON.readTree(line);
            String effect = entry.path("idempotency_key").asText();
            if (entry.path("path").asText().equals(SimulatedReceivers.ORDERS)
                    && entry.path("status").asInt() == 202
                    && known.add(effect)) {
                Manner manner = Manner.values()[number++ % Manner.values().length];
                Together.start(() -> carryOut(effect, manner));
            }
        } catch (IOException notJson) {
            throw new EmbeddedException("the receivers' log has a line that is not JSON: " + line, notJson);
        }
    }

    private void carryOut(String effect, Manner manner) {
        try {
            pause(
                    switch (manner) {
                        case BEFORE_THE_RESPONSE -> Duration.ZERO;
                        case AFTER_THE_DEADLINE -> LATE;
                        case IN_TIME, TWICE, AFTER_A_FORGED_ONE, AS_FAILED, NEVER -> USUAL;
                    });
            boolean carriedOut = manner != Manner.AS_FAILED;
            write(effect, carriedOut);
            tell(effect, manner, carriedOut);
            done.get(manner).incrementAndGet();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(String effect, Manner manner, boolean carriedOut) throws InterruptedException {
        if (manner == Manner.NEVER) {
            return;
        }
        if (manner == Manner.AFTER_A_FORGED_ONE && sender.forged(effect) == Answer.HEARD) {
            forgedAccepted.incrementAndGet();
        }
        untilHeard(effect, carriedOut);
        if (manner == Manner.TWICE) {
            untilHeard(effect, carriedOut);
        }
    }

    private void untilHeard(String effect, boolean carriedOut) throws InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS && on; attempt++) {
            switch (sender.genuine(effect, carriedOut)) {
                case HEARD -> {
                    return;
                }
                case REFUSED -> {
                    refused.incrementAndGet();
                    return;
                }
                case NOT_NOW -> pause(BETWEEN_ATTEMPTS);
            }
        }
        unheard.incrementAndGet();
    }

    /** Before anybody is told, so that nobody can know of it whom the log does not bear out. */
    private synchronized void write(String effect, boolean carriedOut) {
        String line = JSON.createObjectNode()
                .put("time", Instant.now().toString())
                .put("path", SimulatedReceivers.ORDERS)
                .put("idempotency_key", effect)
                .put("executed", carriedOut)
                .put("status", carriedOut ? 200 : 410)
                .toString();
        try {
            Files.write(log, List.of(line), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new EmbeddedException("the log of orders " + log + " could not be written", e);
        }
    }

    private static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    @Override
    public void close() {
        on = false;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
