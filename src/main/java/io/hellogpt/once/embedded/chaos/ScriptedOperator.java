package io.hellogpt.once.embedded.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.embedded.chaos.Desk.Held;
import io.hellogpt.once.ops.CommandSender;
import io.hellogpt.once.ops.OnceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The person requests wait for: asks the receivers what they did, and says so. Waits before asking until nothing that was sent can
 * arrive any more, as a careful person would.
 */
final class ScriptedOperator implements AutoCloseable {
    /** Longer than the lease of an attempt together with the longest pause of a receiver. */
    static final Duration PATIENCE = Duration.ofSeconds(22);

    private static final Logger LOG = LoggerFactory.getLogger(ScriptedOperator.class);
    private static final long ROUND_MILLIS = 2_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final OnceConfig config;
    private final Desk desk;
    private final Path receivers;
    private final AtomicInteger commands = new AtomicInteger();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("chaos-operator").unstarted(this::run);
    private volatile boolean on = true;

    private ScriptedOperator(OnceConfig config, Desk desk, Path receivers) {
        this.config = config;
        this.desk = desk;
        this.receivers = receivers;
    }

    /** @param receivers the receivers' own log */
    static ScriptedOperator start(OnceConfig config, Desk desk, Path receivers) {
        ScriptedOperator operator = new ScriptedOperator(config, desk, receivers);
        operator.thread.start();
        return operator;
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
        List<Held> waiting = desk.heldFor(PATIENCE, System::nanoTime);
        if (waiting.isEmpty()) {
            return;
        }
        try {
            Set<String> done = executed(receivers);
            for (Held held : waiting) {
                for (OperatorCommand command : OperatorRules.decide(held, done, Instant.now())) {
                    sender.send(command);
                    commands.incrementAndGet();
                }
                desk.handled(held.requestId(), System.nanoTime());
            }
        } catch (IOException | KafkaException notNow) {
            LOG.warn("event=operator_put_off detail=\"the next round tries again\"", notNow);
        }
    }

    /** The effects a receiver's log says were carried out. */
    static Set<String> executed(Path log) throws IOException {
        if (Files.notExists(log)) {
            return Set.of();
        }
        Set<String> executed = new HashSet<>();
        try (Stream<String> lines = Files.lines(log)) {
            for (String line : (Iterable<String>) lines::iterator) {
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
