package io.hellogpt.once.embedded;

import io.hellogpt.once.ops.OnceConfig;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Sends contracts into a running stack the way bad producers do, kills an instance and the Connect worker halfway, starts them again,
 * waits for every ending, and has the outside evidence judged.
 */
public final class Demo {
    private static final int CRASHES = 1;
    /** So that the kill finds requests in every stage, also on a machine that is slow to warm up. */
    private static final double ENDED_BEFORE_KILL = 0.1;

    private static final int SHOWN = 5;
    private static final long POLL_MILLIS = 100;
    private static final Duration OUTAGE = Duration.ofSeconds(2);

    private final Stack stack;
    private final DemoScale scale;
    private final Narrator narrator;
    private final Duration patience;

    /**
     * @param patience how long after the last record was sent an ending is waited for
     */
    public Demo(Stack stack, DemoScale scale, Duration patience, Narrator narrator) {
        this.stack = stack;
        this.scale = scale;
        this.patience = patience;
        this.narrator = narrator;
    }

    /**
     * Runs it once; the stack must be fresh.
     *
     * @throws EmbeddedException if a part does not come back, or requests have no ending in time; the message names some
     * @throws IOException if a log cannot be read
     * @throws SQLException if the ledger cannot be read
     */
    public DemoResult run() throws IOException, SQLException {
        DemoPlan plan = DemoPlan.of(scale, new Random());
        OnceConfig config = stack.config();
        try (DemoWatch watch = DemoWatch.start(config);
                DemoTraffic traffic = DemoTraffic.start(
                        config, plan, stack.settings().partitions(), scale.sending(), watch::answered)) {
            Duration whileSending = scale.sending().plus(patience);
            BooleanSupplier halfway = () -> traffic.acknowledged() >= scale.records() / 2
                    && watch.ended() >= scale.requests() * ENDED_BEFORE_KILL
                    && (traffic.isDone() || busiest().runningCalls() > 0);
            until(halfway, whileSending, traffic, watch, plan);
            CompletableFuture<Void> back = kill();
            until(back::isDone, whileSending, traffic, watch, plan);
            back.join();
            narrator.say("both are back");
            until(traffic::isDone, whileSending, traffic, watch, plan);
            int others = scale.records() - scale.requests();
            until(
                    () -> watch.ended() >= scale.requests() && watch.turnedAway() >= others,
                    patience,
                    traffic,
                    watch,
                    plan);
        }
        narrator.progress("every request has ended; reading the evidence");
        return DemoResult.of(scale, StackEvidence.read(stack, CRASHES));
    }

    /** SIGKILL for an instance and the worker; both come back. */
    private CompletableFuture<Void> kill() {
        OnceInstance victim = busiest();
        int calls = victim.runningCalls();
        String killed = "kill -9 halfway: %s (pid %d) with %d model calls running, and the Connect worker (pid %d)"
                .formatted(victim.name(), pid(victim), calls, pid(stack.worker()));
        victim.kill();
        stack.worker().kill();
        narrator.say(killed);
        return CompletableFuture.runAsync(
                () -> Stack.all(victim::start, () -> {
                    stack.worker().start();
                    stack.awaitConnector();
                }),
                CompletableFuture.delayedExecutor(OUTAGE.toMillis(), TimeUnit.MILLISECONDS));
    }

    private OnceInstance busiest() {
        return Collections.max(stack.instances(), Comparator.comparingInt(OnceInstance::runningCalls));
    }

    private static long pid(ChildPart part) {
        return part.child().map(ChildProcess::pid).orElse(0L);
    }

    private void until(BooleanSupplier reached, Duration timeout, DemoTraffic traffic, DemoWatch watch, DemoPlan plan) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!reached.getAsBoolean()) {
            narrator.progress("%,d of %,d records sent, %,d of %,d requests ended"
                    .formatted(traffic.acknowledged(), scale.records(), watch.ended(), scale.requests()));
            if (System.nanoTime() > deadline) {
                throw new EmbeddedException(late(timeout, traffic, watch, plan));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new EmbeddedException("the demo was interrupted", e);
            }
        }
    }

    private String late(Duration timeout, DemoTraffic traffic, DemoWatch watch, DemoPlan plan) {
        Map<String, String> missing = watch.missing(plan.ids());
        return "waited %d s, but %d of %d requests have no ending (%s), %d of %d other records are unanswered, and %d of %d records were sent; see the logs in %s"
                .formatted(
                        timeout.toSeconds(),
                        missing.size(),
                        scale.requests(),
                        missing.entrySet().stream()
                                .limit(SHOWN)
                                .map(request -> request.getKey() + " last seen " + request.getValue())
                                .collect(Collectors.joining(", ")),
                        scale.records() - scale.requests() - watch.turnedAway(),
                        scale.records() - scale.requests(),
                        traffic.acknowledged(),
                        scale.records(),
                        stack.logs());
    }
}
