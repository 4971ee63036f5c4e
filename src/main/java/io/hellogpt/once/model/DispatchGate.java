package io.hellogpt.once.model;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.RequestId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a call may be started at all: not when the provider refuses the key, and not when most calls of its model fail.
 * An expired key or a dead provider must make requests wait, not use up their attempts.
 *
 * <p>While it is shut, one pass per interval is given out, at growing intervals; the call made with it is the probe. Safe for use
 * by several threads.
 */
final class DispatchGate {
    private static final Logger LOG = LoggerFactory.getLogger(DispatchGate.class);
    /** Model names come from requests: circuits of models that are not asked are forgotten beyond so many. */
    private static final int CIRCUITS_KEPT = 1_000;

    private static final int MODELS_NAMED = 3;

    private final GatewaySettings settings;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, ModelCircuit> circuits = new HashMap<>();
    /** Counts pauses, so that the result of a call from before a pause says nothing about the key of today. */
    private long pauses;

    private Optional<Pause> pause = Optional.empty();
    private Instant openSince;

    /** @param nextProbe never before {@code setAt}, unless the clock was set back */
    private record Pause(String reason, Instant since, Duration interval, Instant setAt, Instant nextProbe) {
        Pause probedNextAt(Instant time, Instant now) {
            return new Pause(reason, since, interval, now, time);
        }

        /** A clock set back by an hour must not put off the probe by an hour. */
        boolean lets(Instant now) {
            return !now.isBefore(nextProbe) || now.isBefore(setAt);
        }
    }

    /** The gate's answer to "why". */
    record Closure(GatewayStatus.State state, String reason, Instant since) {}

    DispatchGate(GatewaySettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.openSince = clock.instant();
    }

    /**
     * Takes a pass, which ends with {@link #giveBack}, or with {@link #started} and {@link #ended}.
     *
     * @param partition of the task that asks
     */
    boolean tryPass(int partition, String model) {
        lock.lock();
        try {
            Instant now = clock.instant();
            if (pause.isPresent() && !pause.get().lets(now)) {
                return false;
            }
            if (!circuit(model).tryPass(partition)) {
                return false;
            }
            pause = pause.map(p -> p.probedNextAt(now.plus(p.interval()), now));
            return true;
        } finally {
            lock.unlock();
        }
    }

    private ModelCircuit circuit(String model) {
        if (circuits.size() >= CIRCUITS_KEPT && !circuits.containsKey(model)) {
            circuits.values().removeIf(ModelCircuit::isIdle);
        }
        return circuits.computeIfAbsent(model, name -> new ModelCircuit(name, settings, clock));
    }

    /** Returns a pass no call was made with. */
    void giveBack(String model) {
        lock.lock();
        try {
            circuit(model).giveBack();
            Instant now = clock.instant();
            pause = pause.map(p -> p.probedNextAt(now, now));
        } finally {
            lock.unlock();
        }
    }

    /** A call starts with a pass; {@link #ended} must follow. */
    void started(String model) {
        lock.lock();
        try {
            circuit(model).started();
        } finally {
            lock.unlock();
        }
    }

    /** To be asked when a call starts and handed to {@link #ended}. */
    long epoch() {
        lock.lock();
        try {
            return pauses;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A call made with a pass has ended, with an answer unless {@code error} is present.
     *
     * @return whether the error is one of an outage: the circuit is open, so it is the model's and not the request's
     */
    boolean ended(String model, RequestId id, long startedInEpoch, Optional<CallError> error) {
        lock.lock();
        try {
            ModelCircuit circuit = circuit(model);
            boolean wasOpen = circuit.isOpen();
            boolean saysSomethingOfToday = startedInEpoch == pauses;
            boolean outage = error.isPresent() && failed(circuit, id, error.get(), saysSomethingOfToday);
            if (error.isEmpty()) {
                circuit.succeeded();
                resumeIf(saysSomethingOfToday);
            }
            if (wasOpen && !circuit.isOpen()) {
                openSince = clock.instant();
            }
            return outage;
        } finally {
            lock.unlock();
        }
    }

    private boolean failed(ModelCircuit circuit, RequestId id, CallError error, boolean saysSomethingOfToday) {
        switch (error.kind()) {
            case RETRYABLE -> {
                return circuit.failed(id);
            }
            case REJECTED, TOO_LARGE -> {
                circuit.succeeded();
                resumeIf(saysSomethingOfToday);
            }
            case UNAUTHORIZED -> {
                circuit.undecided();
                if (saysSomethingOfToday) {
                    refused(error.message());
                }
            }
            case ABANDONED -> circuit.undecided();
        }
        return false;
    }

    /** Why the gate is shut, for all or for some models, if it is. */
    Optional<Closure> closure() {
        lock.lock();
        try {
            if (pause.isPresent()) {
                return pause.map(p -> new Closure(GatewayStatus.State.PAUSED_UNAUTHORIZED, p.reason(), p.since()));
            }
            List<Map.Entry<String, ModelCircuit>> open = circuits.entrySet().stream()
                    .filter(circuit -> circuit.getValue().isOpen())
                    .sorted(Comparator.comparing(circuit -> circuit.getValue().since()))
                    .toList();
            return open.isEmpty() ? Optional.empty() : Optional.of(closed(open));
        } finally {
            lock.unlock();
        }
    }

    private Closure closed(List<Map.Entry<String, ModelCircuit>> open) {
        String named = open.stream().limit(MODELS_NAMED).map(Map.Entry::getKey).collect(Collectors.joining(", "));
        String more = open.size() > MODELS_NAMED ? " and " + (open.size() - MODELS_NAMED) + " more" : "";
        return new Closure(
                GatewayStatus.State.CIRCUIT_OPEN,
                "at least %d %% of the last %d calls of %s%s failed; its requests wait until a probe succeeds, others go on"
                        .formatted(settings.circuitFailureRate(), settings.circuitWindow(), named, more),
                open.getFirst().getValue().since());
    }

    /** Since when the gate is in no closure. */
    Instant openSince() {
        lock.lock();
        try {
            return openSince;
        } finally {
            lock.unlock();
        }
    }

    private void refused(String message) {
        Instant now = clock.instant();
        if (pause.isEmpty()) {
            pauses++;
            String reason = message + "; dispatch is paused and requests wait: renew the key, no restart is needed";
            LOG.error("event=dispatch_paused state=PAUSED_UNAUTHORIZED reason=\"{}\"", reason);
            pause = Optional.of(new Pause(reason, now, settings.probeMin(), now, now.plus(settings.probeMin())));
            return;
        }
        Duration doubled = pause.get().interval().multipliedBy(2);
        Duration next = doubled.compareTo(settings.probeMax()) > 0 ? settings.probeMax() : doubled;
        pause = pause.map(p -> new Pause(p.reason(), p.since(), next, now, now.plus(next)));
    }

    private void resumeIf(boolean saysSomethingOfToday) {
        if (saysSomethingOfToday && pause.isPresent()) {
            LOG.info("event=dispatch_resumed paused_since={}", pause.get().since());
            pause = Optional.empty();
            openSince = clock.instant();
        }
    }
}
