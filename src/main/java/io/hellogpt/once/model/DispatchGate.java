package io.hellogpt.once.model;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import io.hellogpt.once.core.CallError;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a call may be started at all: not when the provider refuses the key, and not when most calls fail. An
 * expired key or a dead provider must make requests wait, not use up their attempts.
 *
 * <p>While it is shut, one pass per interval is given out, at growing intervals; the call made with it is the probe. Safe for use
 * by several threads.
 */
final class DispatchGate {
    private static final Logger LOG = LoggerFactory.getLogger(DispatchGate.class);

    /** The circuit wants an exception and looks at none. */
    private static final Exception COUNTED = ModelCallException.of(CallError.Kind.RETRYABLE, "counted");

    /** A probe's pass with which no call was started within this time is lost: the thread that took it has died. */
    private static final Duration PASS_LIMIT = Duration.ofSeconds(30);

    private final GatewaySettings settings;
    private final Clock clock;
    private final CircuitBreaker circuit;
    private final ReentrantLock lock = new ReentrantLock();
    /** Counts pauses, so that the result of a call from before a pause says nothing about the key of today. */
    private long pauses;

    /** Calls between {@link #started} and {@link #ended}. */
    private int running;

    private Instant lastPass;
    private Optional<Pause> pause = Optional.empty();
    private Instant circuitSince;
    private final Instant openedAt;

    private record Pause(String reason, Instant since, Duration interval, Instant nextProbe) {}

    /** The gate's answer to "why". */
    record Closure(GatewayStatus.State state, String reason, Instant since) {}

    DispatchGate(GatewaySettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.openedAt = clock.instant();
        this.circuitSince = openedAt;
        this.lastPass = openedAt;
        this.circuit = CircuitBreaker.of(
                "model",
                CircuitBreakerConfig.custom()
                        .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(settings.circuitWindow())
                        .minimumNumberOfCalls(settings.circuitWindow())
                        .failureRateThreshold(settings.circuitFailureRate())
                        .permittedNumberOfCallsInHalfOpenState(1)
                        .waitIntervalFunctionInOpenState(
                                IntervalFunction.ofExponentialBackoff(settings.probeMin(), 2.0, settings.probeMax()))
                        .clock(clock)
                        .build());
        circuit.getEventPublisher().onStateTransition(event -> circuitMoved(event.getStateTransition()));
    }

    /** Takes a pass, which ends with {@link #giveBack}, or with {@link #started} and {@link #ended}. */
    boolean tryPass() {
        lock.lock();
        try {
            if (pause.isPresent() && clock.instant().isBefore(pause.get().nextProbe())) {
                return false;
            }
            if (!circuitPasses()) {
                return false;
            }
            lastPass = clock.instant();
            pause = pause.map(p -> new Pause(
                    p.reason(), p.since(), p.interval(), clock.instant().plus(p.interval())));
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean circuitPasses() {
        if (circuit.tryAcquirePermission()) {
            return true;
        }
        // The circuit's own limit on being half open would also discard the result of a probe that is merely slow.
        boolean probeLost = circuit.getState() == CircuitBreaker.State.HALF_OPEN
                && running == 0
                && !clock.instant().isBefore(lastPass.plus(PASS_LIMIT));
        if (!probeLost) {
            return false;
        }
        LOG.warn("event=probe_lost taken_at={} action=\"another probe is let through\"", lastPass);
        circuit.releasePermission();
        return circuit.tryAcquirePermission();
    }

    /** Returns a pass no call was made with. */
    void giveBack() {
        lock.lock();
        try {
            circuit.releasePermission();
            pause = pause.map(p -> new Pause(p.reason(), p.since(), p.interval(), clock.instant()));
        } finally {
            lock.unlock();
        }
    }

    /** A call starts with a pass; {@link #ended} must follow. */
    void started() {
        lock.lock();
        try {
            running++;
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
     * @return whether the error is one of an outage: the circuit is open, so it is the provider's and not the request's
     */
    boolean ended(long startedInEpoch, Optional<CallError> error) {
        lock.lock();
        try {
            running--;
            boolean saysSomethingOfToday = startedInEpoch == pauses;
            if (error.isEmpty()) {
                circuit.onSuccess(0, TimeUnit.NANOSECONDS);
                resumeIf(saysSomethingOfToday);
                return false;
            }
            switch (error.get().kind()) {
                case RETRYABLE -> circuit.onError(0, TimeUnit.NANOSECONDS, COUNTED);
                case REJECTED, TOO_LARGE -> {
                    circuit.onSuccess(0, TimeUnit.NANOSECONDS);
                    resumeIf(saysSomethingOfToday);
                }
                case UNAUTHORIZED -> {
                    circuit.releasePermission();
                    if (saysSomethingOfToday) {
                        refused(error.get().message());
                    }
                }
                case ABANDONED -> circuit.releasePermission();
            }
            return error.get().kind() == CallError.Kind.RETRYABLE && circuit.getState() != CircuitBreaker.State.CLOSED;
        } finally {
            lock.unlock();
        }
    }

    /** Why the gate is shut, if it is. */
    Optional<Closure> closure() {
        lock.lock();
        try {
            if (pause.isPresent()) {
                return pause.map(p -> new Closure(GatewayStatus.State.PAUSED_UNAUTHORIZED, p.reason(), p.since()));
            }
            return circuit.getState() == CircuitBreaker.State.CLOSED
                    ? Optional.empty()
                    : Optional.of(new Closure(
                            GatewayStatus.State.CIRCUIT_OPEN,
                            "at least " + settings.circuitFailureRate() + " % of the last " + settings.circuitWindow()
                                    + " model calls failed; requests wait until a probe succeeds",
                            circuitSince));
        } finally {
            lock.unlock();
        }
    }

    /** Since when the gate is in no closure. */
    Instant openSince() {
        lock.lock();
        try {
            return circuitSince.isAfter(openedAt) ? circuitSince : openedAt;
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
            pause = Optional.of(new Pause(reason, now, settings.probeMin(), now.plus(settings.probeMin())));
            return;
        }
        Duration doubled = pause.get().interval().multipliedBy(2);
        Duration next = doubled.compareTo(settings.probeMax()) > 0 ? settings.probeMax() : doubled;
        pause = pause.map(p -> new Pause(p.reason(), p.since(), next, now.plus(next)));
    }

    private void resumeIf(boolean saysSomethingOfToday) {
        if (saysSomethingOfToday && pause.isPresent()) {
            LOG.info("event=dispatch_resumed paused_since={}", pause.get().since());
            pause = Optional.empty();
            circuitSince = clock.instant();
        }
    }

    private void circuitMoved(CircuitBreaker.StateTransition transition) {
        switch (transition.getToState()) {
            case OPEN -> {
                if (transition.getFromState() == CircuitBreaker.State.CLOSED) {
                    circuitSince = clock.instant();
                    LOG.error(
                            "event=dispatch_paused state=CIRCUIT_OPEN failure_rate_percent={}",
                            settings.circuitFailureRate());
                }
            }
            case CLOSED -> {
                circuitSince = clock.instant();
                LOG.info("event=dispatch_resumed state=CLOSED");
            }
            case HALF_OPEN, DISABLED, FORCED_OPEN, METRICS_ONLY -> LOG.debug("event=circuit state={}", transition);
        }
    }
}
