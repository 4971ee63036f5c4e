package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.receiver.Alerts;
import io.hellogpt.once.connect.receiver.EffectReceiver;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Runs claimed attempts against their receivers, side by side up to each route's bound; those of one request_id one after the
 * other, in their order.
 */
final class Dispatcher implements AutoCloseable {
    private final Map<String, Lane> lanes = new HashMap<>();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("once-effect-", 0).factory());

    /** A receiver and the calls it may get at a time. */
    private record Lane(EffectReceiver receiver, Semaphore slots) {}

    /**
     * What became of a claim.
     *
     * @param verdict empty when the time was up before it could be sent; it certainly was not
     */
    record Executed(Claim.Execute claim, Optional<Verdict> verdict) {}

    /** @param routes by name; those of the ledger's own database are not ours */
    Dispatcher(Map<String, Route> routes, Clock clock) {
        routes.forEach((name, route) -> {
            if (route instanceof Route.Remote remote) {
                EffectReceiver receiver = Receivers.open(remote, Alerts.toLog(), clock);
                lanes.put(name, new Lane(receiver, new Semaphore(remote.maxInFlight())));
            }
        });
    }

    /**
     * Runs all of {@code claims}; returns when no call is out any more, at the latest one call's timeout after
     * {@code deadlineNanos}.
     *
     * @param deadlineNanos by {@link System#nanoTime}; no call begins after it
     * @param results filled as results come in, also when this throws
     * @throws ConnectException when an executor broke or the thread was interrupted; what is missing in {@code results} is in
     *     doubt
     */
    void run(List<Claim.Execute> claims, long deadlineNanos, List<Executed> results) {
        Map<String, List<Claim.Execute>> byRequest = new LinkedHashMap<>();
        for (Claim.Execute claim : claims) {
            String requestId = claim.ask().effect().id().requestId().value();
            byRequest.computeIfAbsent(requestId, id -> new ArrayList<>()).add(claim);
        }
        List<Future<?>> running = new ArrayList<>();
        for (List<Claim.Execute> inOrder : byRequest.values()) {
            running.add(threads.submit(() -> {
                for (Claim.Execute claim : inOrder) {
                    Executed executed = new Executed(claim, execute(claim, deadlineNanos));
                    synchronized (results) {
                        results.add(executed);
                    }
                }
                return null;
            }));
        }
        await(running);
    }

    private Optional<Verdict> execute(Claim.Execute claim, long deadlineNanos) throws InterruptedException {
        Lane lane = lanes.get(claim.ask().effect().route());
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0 || !lane.slots().tryAcquire(left, TimeUnit.NANOSECONDS)) {
            return Optional.empty();
        }
        try {
            return Optional.of(lane.receiver().execute(claim));
        } finally {
            lane.slots().release();
        }
    }

    private void await(List<Future<?>> running) {
        ConnectException broken = null;
        for (Future<?> lane : running) {
            try {
                lane.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ConnectException("interrupted with calls out; they are in doubt and stay STARTED", e);
            } catch (ExecutionException e) {
                broken = new ConnectException(
                        "an executor broke; its effects stay STARTED in the ledger and are recovered by their class",
                        e.getCause());
            }
        }
        if (broken != null) {
            throw broken;
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        lanes.values().forEach(lane -> lane.receiver().close());
    }
}
