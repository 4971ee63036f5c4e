package io.hellogpt.once.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What is known about one request. Each state is immutable and offers only its legal successors, so that an illegal move does
 * not compile.
 *
 * <pre>
 * PENDING -> GENERATING -> ACKNOWLEDGED -> COMMITTED
 *    ^____________|    \        |  ^  \
 *                       \       v  |   v
 *                        `--> HELD    COMPENSATING -> FAILED
 * </pre>
 *
 * Every open state may end as FAILED; HELD goes back to where a person sends it.
 */
public sealed interface RequestState {
    Identity identity();

    Status status();

    /** The timers this state needs. Never empty: an unfinished request always has one, an ended one has its expiry. */
    Set<Timer> timers();

    /** The plan, empty while there is no snapshot. */
    EffectPlan plan();

    /** The same state with another plan; one without a snapshot has none and stays as it is. */
    RequestState with(EffectPlan next);

    /** The same state, remembering more or less of what people have asked of it. */
    RequestState with(Identity next);

    default RequestId id() {
        return identity().id();
    }

    /** The names of the states, as they stand in topics, metrics and pages. */
    enum Status {
        PENDING,
        GENERATING,
        ACKNOWLEDGED,
        HELD,
        COMPENSATING,
        COMMITTED,
        FAILED
    }

    /** An unfinished request. */
    sealed interface Open extends RequestState permits Unanswered, Acknowledged, Held, Compensating {
        @Override
        Open with(EffectPlan next);

        /** The snapshot's digest, once there is one. */
        default Optional<String> snapshotSha256() {
            return Optional.empty();
        }

        default Failed failed(Failure failure, Moment moment, Duration retention) {
            return new Failed(
                    identity(),
                    failure,
                    snapshotSha256(),
                    plan(),
                    moment.now(),
                    moment.endOfRequest().plus(retention));
        }
    }

    /** A request without a snapshot, and so without a plan. */
    sealed interface Unanswered extends Open permits Pending, Generating {
        @Override
        default EffectPlan plan() {
            return EffectPlan.NONE;
        }

        @Override
        default Unanswered with(EffectPlan next) {
            return this;
        }
    }

    /** A request with its one terminal record. */
    sealed interface Ended extends RequestState permits Committed, Failed {
        Instant endedAt();

        /** Stream time at which the id may be forgotten. */
        Instant expiresAt();

        @Override
        default Set<Timer> timers() {
            return Set.of(Timer.of(Timer.Kind.EXPIRY, expiresAt(), id()));
        }
    }
}
