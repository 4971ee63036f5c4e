package io.hellogpt.once.connect;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.hellogpt.once.connect.config.TaskSettings;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a dead receiver no calls: its effects are answered RETRYABLE at once, so that neither they nor the effects of other
 * routes behind them wait for its timeouts. Safe for several threads.
 */
final class RouteCircuit {
    private static final Logger LOG = LoggerFactory.getLogger(RouteCircuit.class);
    private static final int TRIALS = 3;
    /** The breaker wants an exception and looks at none. */
    private static final Exception COUNTED = new Exception("counted", null, false, false) {};

    private final CircuitBreaker breaker;
    private final Clock clock;
    private final Duration open;
    private volatile Instant shutUntil = Instant.MIN;

    RouteCircuit(String route, TaskSettings.Circuit settings, Clock clock) {
        this.clock = clock;
        this.open = settings.open();
        this.breaker = CircuitBreaker.of(
                route,
                CircuitBreakerConfig.custom()
                        .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(settings.calls())
                        .minimumNumberOfCalls(settings.calls())
                        .failureRateThreshold(settings.failureRate())
                        .permittedNumberOfCallsInHalfOpenState(TRIALS)
                        .waitDurationInOpenState(settings.open())
                        .clock(clock)
                        .build());
        breaker.getEventPublisher().onStateTransition(event -> moved(route, event.getStateTransition()));
    }

    private void moved(String route, CircuitBreaker.StateTransition transition) {
        if (transition.getToState() == CircuitBreaker.State.OPEN) {
            shutUntil = clock.instant().plus(open);
            LOG.error(
                    "route is dead, its effects are answered RETRYABLE without a call route={} for_ms={}; see what the"
                            + " receiver's owner says",
                    route,
                    open.toMillis());
        } else {
            LOG.info("route circuit moved route={} state={}", route, transition.getToState());
        }
    }

    /** Empty when the call may be made, and must then be {@link #ended}; else what to answer instead. */
    Optional<Verdict> refuse(Claim.Execute claim) {
        if (breaker.tryAcquirePermission()) {
            return Optional.empty();
        }
        Duration left = Duration.between(clock.instant(), shutUntil);
        Duration wait = left.isPositive() ? left : Duration.ofMillis(1 + open.toMillis() / 10);
        return Optional.of(Verdict.retry(
                "the route's circuit is open: most calls to its receiver failed; not sent",
                Optional.of(Duration.ofMillis(wait.toMillis())),
                claim.inDoubt()));
    }

    /** A call that was let through has come to this. */
    void ended(Claim.Execute claim, Verdict verdict, long nanos) {
        if (!verdict.ofReceiver()) {
            givenUp();
        } else if (isReceiversFailure(claim, verdict)) {
            breaker.onError(nanos, TimeUnit.NANOSECONDS, COUNTED);
        } else {
            breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** A call that was let through was cut off, or ended without telling anything of the receiver. */
    void givenUp() {
        breaker.releasePermission();
    }

    boolean isOpen() {
        return breaker.getState() == CircuitBreaker.State.OPEN;
    }

    /**
     * No answer, no connection, or a failure of its own. A receiver that says when to come again is alive, and one that refuses
     * an effect is too.
     */
    private static boolean isReceiversFailure(Claim.Execute claim, Verdict verdict) {
        return switch (verdict.result()) {
            case SUCCEEDED, FAILED, AWAITING_CALLBACK, MALFORMED -> false;
            case UNKNOWN -> !claim.inDoubt();
            case RETRYABLE -> verdict.inDoubt() || verdict.retryAfter().isEmpty();
        };
    }
}
