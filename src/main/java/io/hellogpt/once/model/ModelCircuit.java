package io.hellogpt.once.model;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.RequestId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The circuit of one model: a model that is down must make its own requests wait, and nobody else's. Guarded by its
 * {@link DispatchGate}'s lock.
 */
final class ModelCircuit {
    private static final Logger LOG = LoggerFactory.getLogger(ModelCircuit.class);

    /** The circuit wants an exception and looks at none. */
    private static final Exception COUNTED = ModelCallException.of(CallError.Kind.RETRYABLE, "counted");

    /** A probe's pass with which no call was started within this time is lost: the thread that took it has died. */
    private static final Duration PASS_LIMIT = Duration.ofSeconds(30);

    /** Failures of fewer requests than this may be the requests' own, and each counts once. */
    private static final int SEVERAL = 3;

    private final String model;
    private final GatewaySettings settings;
    private final Clock clock;
    private final CircuitBreaker circuit;
    /** Calls between {@link #started} and {@link #ended}. */
    private int running;

    /** Some of the requests whose calls failed since one succeeded: at most {@link #SEVERAL}. */
    private final Set<RequestId> failing = new HashSet<>();

    private Instant lastPass;
    private Instant since;

    /** The task whose request probed last, and has failed. */
    private OptionalInt probedBy = OptionalInt.empty();

    /** When another task than that one asked for a pass and was refused it. */
    private Optional<Instant> othersWaitSince = Optional.empty();

    ModelCircuit(String model, GatewaySettings settings, Clock clock) {
        this.model = model;
        this.settings = settings;
        this.clock = clock;
        this.since = clock.instant();
        this.lastPass = since;
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
        circuit.getEventPublisher().onStateTransition(event -> moved(event.getStateTransition()));
    }

    /**
     * The next probe is another task's, if another waits: a request that cannot be answered must not keep the circuit open by being
     * the probe each time. Within a task it goes behind those that have waited longer, since it waits anew.
     */
    boolean tryPass(int partition) {
        Instant now = clock.instant();
        boolean isAnother = probedBy.isEmpty() || probedBy.getAsInt() != partition;
        if (isOpen() && !isAnother && othersWait(now)) {
            return false;
        }
        if (!circuit.tryAcquirePermission() && !passOfLostProbe()) {
            if (isAnother && probedBy.isPresent()) {
                othersWaitSince = Optional.of(now);
            }
            return false;
        }
        lastPass = now;
        if (isOpen()) {
            probedBy = OptionalInt.of(partition);
            othersWaitSince = Optional.empty();
        }
        return true;
    }

    /** One that has not asked again for so long waits no more; one that asked in the future, by a clock since set back, neither. */
    private boolean othersWait(Instant now) {
        return othersWaitSince
                .filter(asked -> !now.isBefore(asked) && now.isBefore(asked.plus(PASS_LIMIT)))
                .isPresent();
    }

    /** The circuit's own limit on being half open would also discard the result of a probe that is merely slow. */
    private boolean passOfLostProbe() {
        boolean probeLost = circuit.getState() == CircuitBreaker.State.HALF_OPEN
                && running == 0
                && !clock.instant().isBefore(lastPass.plus(PASS_LIMIT));
        if (!probeLost) {
            return false;
        }
        LOG.warn("event=probe_lost model={} taken_at={} action=\"another probe is let through\"", model, lastPass);
        circuit.releasePermission();
        return circuit.tryAcquirePermission();
    }

    void giveBack() {
        circuit.releasePermission();
    }

    void started() {
        running++;
    }

    /** A call has ended and says that the model works. */
    void succeeded() {
        running--;
        failing.clear();
        circuit.onSuccess(0, TimeUnit.NANOSECONDS);
    }

    /**
     * A call has ended and says that the model does not work; or, as long as it is one and the same request that fails, that this
     * request cannot be answered. That one must use up its attempts and end, and not be kept waiting by a circuit it has opened
     * alone.
     *
     * @return whether that was known: the circuit is open
     */
    boolean failed(RequestId id) {
        running--;
        boolean another = failing.size() < SEVERAL && failing.add(id);
        if (another || failing.size() >= SEVERAL || isOpen()) {
            circuit.onError(0, TimeUnit.NANOSECONDS, COUNTED);
        } else {
            circuit.releasePermission();
        }
        return isOpen();
    }

    /** A call has ended and says nothing about the model. */
    void undecided() {
        running--;
        circuit.releasePermission();
    }

    /** Open, or half open. */
    boolean isOpen() {
        return circuit.getState() != CircuitBreaker.State.CLOSED;
    }

    /** Since when it is open, or closed. */
    Instant since() {
        return since;
    }

    /** Nothing but a few counted failures would be lost by forgetting it. */
    boolean isIdle() {
        return !isOpen() && running == 0;
    }

    private void moved(CircuitBreaker.StateTransition transition) {
        switch (transition.getToState()) {
            case OPEN -> {
                if (transition.getFromState() == CircuitBreaker.State.CLOSED) {
                    since = clock.instant();
                    LOG.error(
                            "event=dispatch_paused state=CIRCUIT_OPEN model={} failure_rate_percent={}",
                            model,
                            settings.circuitFailureRate());
                }
            }
            case CLOSED -> {
                since = clock.instant();
                probedBy = OptionalInt.empty();
                othersWaitSince = Optional.empty();
                LOG.info("event=dispatch_resumed state=CLOSED model={}", model);
            }
            case HALF_OPEN, DISABLED, FORCED_OPEN, METRICS_ONLY ->
                LOG.debug("event=circuit model={} state={}", model, transition);
        }
    }
}
