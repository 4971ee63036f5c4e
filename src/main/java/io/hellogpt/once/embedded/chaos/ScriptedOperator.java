package io.hellogpt.once.embedded.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.embedded.chaos.Desk.Held;
import io.hellogpt.once.ops.CommandSender;
import io.hellogpt.once.ops.OnceConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The person requests wait for: asks the receivers what they did, and says so. Waits before asking until nothing that was sent can
 * arrive any more, as a careful person would. Now and then calls off a request nobody asked about.
 */
final class ScriptedOperator implements AutoCloseable {
    /** Longer than the lease of an attempt together with the longest pause of a receiver. */
    static final Duration PATIENCE = Duration.ofSeconds(22);

    /** Longer than a route's timeout: so long may a receiver take that nobody has stopped. */
    static final Duration CALM_PATIENCE = Duration.ofSeconds(8);

    private static final Duration AT_ONCE = Duration.ofSeconds(3);
    private static final Logger LOG = LoggerFactory.getLogger(ScriptedOperator.class);
    private static final long ROUND_MILLIS = 2_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final OnceConfig config;
    private final Desk desk;
    private final List<Path> receivers;
    private final Random random;
    private final AtomicInteger commands = new AtomicInteger();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("chaos-operator").unstarted(this::run);
    private volatile boolean on = true;
    private int approvals;
    private volatile OptionalLong calmSince = OptionalLong.empty();

    private ScriptedOperator(OnceConfig config, Desk desk, List<Path> receivers, long seed) {
        this.config = config;
        this.desk = desk;
        this.receivers = List.copyOf(receivers);
        this.random = new Random(seed);
    }

    /**
     * @param receivers the receivers' own logs
     * @param seed of the operator's whims
     */
    static ScriptedOperator start(OnceConfig config, Desk desk, List<Path> receivers, long seed) {
        ScriptedOperator operator = new ScriptedOperator(config, desk, receivers, seed);
        operator.thread.start();
        return operator;
    }

    /** No part is silent or cut off any more: from now on only does what is needed, and waits for what a living receiver may take. */
    void settleDown() {
        calmSince = OptionalLong.of(System.nanoTime());
    }

    private Duration patience() {
        OptionalLong since = calmSince;
        return since.isPresent() && System.nanoTime() - since.getAsLong() > CALM_PATIENCE.toNanos()
                ? CALM_PATIENCE
                : PATIENCE;
    }

    /** Commands given so far. */
    int commands() {
        return commands.get();
    }

    private void run() {
        try (CommandSender sender = new CommandSender(config)) {
            while (on) {
                TimeUnit.MILLISECONDS.sleep(ROUND_MILLIS);
                round(sender);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void round(CommandSender sender) {
        List<Held> waiting = new ArrayList<>(desk.heldFor(patience(), System::nanoTime));
        desk.heldFor(AT_ONCE, System::nanoTime).stream()
                .filter(held -> held.reason().equals(OperatorRules.APPROVAL))
                .filter(held -> !waiting.contains(held))
                .forEach(waiting::add);
        try {
            if (calmSince.isEmpty()) {
                desk.someUnfinished(random).ifPresent(id -> {
                    sender.send(OperatorRules.whim(id, random.nextInt(Integer.MAX_VALUE), Instant.now()));
                    commands.incrementAndGet();
                });
            }
            if (waiting.isEmpty()) {
                return;
            }
            Set<String> done = executed(receivers);
            for (Held held : waiting) {
                for (OperatorCommand command : OperatorRules.decide(held, done, approvals, Instant.now())) {
                    sender.send(command);
                    commands.incrementAndGet();
                }
                if (held.reason().equals(OperatorRules.APPROVAL)) {
                    approvals++;
                }
                desk.handled(held.requestId(), System.nanoTime());
            }
        } catch (IOException | KafkaException notNow) {
            LOG.warn("event=operator_put_off detail=\"the next round tries again\"", notNow);
        }
    }

    /** The effects the receivers' logs say were carried out. */
    static Set<String> executed(List<Path> logs) throws IOException {
        Set<String> executed = new HashSet<>();
        for (Path log : logs) {
            for (String line : new LogFollower(log).next()) {
                JsonNode entry = JSON.readTree(line);
                if (entry.path("executed").asBoolean()) {
                    executed.add(entry.path("idempotency_key").asText());
                }
            }
        }
        return executed;
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
