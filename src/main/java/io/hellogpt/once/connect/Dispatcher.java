package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.config.TaskSettings;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.receiver.Alerts;
import io.hellogpt.once.connect.receiver.EffectReceiver;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the calls of claimed attempts, each on a virtual thread of its own. How many at a time is the caller's to decide. */
final class Dispatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final Map<String, Lane> lanes = new HashMap<>();
    private final CountedAlerts alerts;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("once-effect-", 0).factory());

    private record Lane(EffectReceiver receiver, RouteCircuit circuit) {}

    /**
     * @param routes by name; those whose effects do not leave the database are not ours
     * @param circuits by the name of a route, when it counts as dead
     */
    Dispatcher(Map<String, Route> routes, Function<String, TaskSettings.Circuit> circuits, Clock clock) {
        alerts = new CountedAlerts(routes.keySet(), Alerts.toLog());
        routes.forEach((name, route) -> {
            if (route instanceof Route.Remote remote) {
                EffectReceiver receiver = Receivers.open(remote, alerts, clock);
                lanes.put(name, new Lane(receiver, new RouteCircuit(name, circuits.apply(name), clock)));
            }
        });
    }

    /**
     * Makes the call of a claim and returns at once.
     *
     * @param latestNanos by {@link System#nanoTime}; the call begins before, or not at all
     * @param ended told what became of it; with nothing when it was certainly not sent. Not told of a call that {@link #close}
     *     cut off: it is in doubt, and its row stays STARTED
     */
    void call(Claim.Execute claim, long latestNanos, Consumer<Optional<Verdict>> ended) {
        threads.execute(() -> {
            try {
                ended.accept(call(claim, latestNanos));
            } catch (InterruptedException e) {
                LOG.warn(
                        "call cut off by the end of the task; in doubt, recovered by its class effect_id={} attempt={}"
                                + " route={}",
                        claim.ask().effectId(),
                        claim.ask().effect().attempt(),
                        claim.ask().effect().route());
            }
        });
    }

    private Optional<Verdict> call(Claim.Execute claim, long latestNanos) throws InterruptedException {
        Lane lane = lanes.get(claim.ask().effect().route());
        if (claim.ask().probe() && !(claim.ask().recovery() instanceof Recovery.Probeable)) {
            return Optional.of(unknown("asked what became of it: the receiver cannot be asked"));
        }
        Optional<Verdict> refused = lane.circuit().refuse(claim);
        if (refused.isPresent()) {
            return refused;
        }
        // The last look before the send: a worker that was paused in between must not send what others hold by now.
        if (System.nanoTime() - latestNanos >= 0) {
            lane.circuit().givenUp();
            return Optional.empty();
        }
        long start = System.nanoTime();
        try {
            Verdict verdict = lane.receiver().execute(claim);
            lane.circuit().ended(claim, verdict, System.nanoTime() - start);
            return Optional.of(verdict);
        } catch (InterruptedException e) {
            lane.circuit().givenUp();
            throw e;
        } catch (RuntimeException | Error e) {
            lane.circuit().givenUp();
            return Optional.of(broken(claim, e));
        }
    }

    /** A defect must neither end the task, over and over, nor be taken for a certain outcome. */
    private static Verdict broken(Claim.Execute claim, Throwable e) {
        LOG.error(
                "receiver broke, the attempt is in doubt effect_id={} attempt={} route={}; this is a defect of the connector",
                claim.ask().effectId(),
                claim.ask().effect().attempt(),
                claim.ask().effect().route(),
                e);
        String why =
                "the connector broke during the call (" + e.getClass().getSimpleName() + "); it may have been sent";
        return switch (claim.ask().recovery()) {
            case Recovery.Keyed keyed -> Verdict.retry(why, Optional.empty(), true);
            case Recovery.Probeable probeable -> Verdict.retry(why, Optional.of(probeable.settle()), true);
            case Recovery.Opaque opaque -> unknown(why);
            case Recovery.Local local -> unknown(why);
        };
    }

    private static Verdict unknown(String why) {
        return new Verdict(Result.UNKNOWN, why, Optional.empty(), Optional.empty(), true);
    }

    /** How many alerts of a kind a route has given. */
    long alerts(String route, Alerts.Alert alert) {
        return alerts.count(route, alert);
    }

    /** Routes that are given no calls at the moment. */
    boolean isOpen(String route) {
        return Optional.ofNullable(lanes.get(route))
                .filter(lane -> lane.circuit().isOpen())
                .isPresent();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        lanes.values().forEach(lane -> lane.receiver().close());
    }
}
