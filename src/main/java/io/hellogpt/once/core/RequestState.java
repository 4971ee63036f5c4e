package io.hellogpt.once.core;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Objects;
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

    /** A request without a snapshot, and so without a plan. */
    sealed interface Unanswered extends Open {
        @Override
        default EffectPlan plan() {
            return EffectPlan.NONE;
        }

        @Override
        default Unanswered with(EffectPlan next) {
            return this;
        }
    }

    /** An unfinished request. */
    sealed interface Open extends RequestState {
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

    /** A request with its one terminal record. */
    sealed interface Ended extends RequestState {
        Instant endedAt();

        /** Stream time at which the id may be forgotten. */
        Instant expiresAt();

        @Override
        default Set<Timer> timers() {
            return Set.of(Timer.of(Timer.Kind.EXPIRY, expiresAt(), id()));
        }
    }

    /**
     * Accepted; waits for a slot, or for the end of a backoff.
     *
     * @param calls model calls started so far
     * @param failures those that failed and count against the limit
     * @param dueAt not dispatched before
     */
    record Pending(
            Identity identity, ModelRequest request, int calls, int failures, Instant dueAt, Optional<String> lastError)
            implements Unanswered {
        public Pending {
            Objects.requireNonNull(identity, "identity");
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(dueAt, "dueAt");
            Objects.requireNonNull(lastError, "lastError");
        }

        @Override
        public Status status() {
            return Status.PENDING;
        }

        @Override
        public Set<Timer> timers() {
            return withDeadline(
                    identity,
                    new Timer(Timer.Kind.PENDING, dueAt, identity.source().offset(), identity.id()));
        }

        Generating generating(Instant startedAt, Instant deadline, String caller) {
            return new Generating(
                    identity, request, calls + 1, failures, startedAt, deadline, caller, false, lastError);
        }

        /** Another live process already runs the call. */
        Generating adopted(int attempt, Instant startedAt, Instant deadline, String caller) {
            return new Generating(identity, request, attempt, failures, startedAt, deadline, caller, true, lastError);
        }
    }

    /**
     * A model call is in flight, as far as is known.
     *
     * @param attempt the number of that call, from 1
     * @param failures earlier calls that failed and count against the limit
     * @param deadline when the caller gives up
     * @param caller the process that runs the call
     * @param handedOver the caller is another, live process that gave the task away
     */
    record Generating(
            Identity identity,
            ModelRequest request,
            int attempt,
            int failures,
            Instant startedAt,
            Instant deadline,
            String caller,
            boolean handedOver,
            Optional<String> lastError)
            implements Unanswered {
        /** How long after a call's own deadline its caller is believed dead. */
        static final Duration GRACE = Duration.ofSeconds(10);

        public Generating {
            Objects.requireNonNull(identity, "identity");
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(startedAt, "startedAt");
            Objects.requireNonNull(deadline, "deadline");
            Objects.requireNonNull(caller, "caller");
            Objects.requireNonNull(lastError, "lastError");
        }

        @Override
        public Status status() {
            return Status.GENERATING;
        }

        @Override
        public Set<Timer> timers() {
            return withDeadline(identity, Timer.of(Timer.Kind.CALL_DEADLINE, deadline.plus(GRACE), identity.id()));
        }

        Generating handedOver(int callersAttempt, Instant callersDeadline, String liveCaller) {
            return new Generating(
                    identity,
                    request,
                    callersAttempt,
                    failures,
                    startedAt,
                    callersDeadline,
                    liveCaller,
                    true,
                    lastError);
        }

        /** The call failed; another one is due. */
        Pending retryAt(Instant due, boolean counts, String error) {
            return new Pending(identity, request, attempt, counts ? failures + 1 : failures, due, Optional.of(error));
        }

        Acknowledged acknowledged(Snapshot snapshot, Decision.Proceed decision, EffectPlan plan, Instant at) {
            return new Acknowledged(identity, snapshot.sha256(), decision.reason(), plan, at);
        }

        Held held(Hold hold, Snapshot snapshot, EffectPlan plan, Moment moment, Duration holdTimeout) {
            return new Held(
                    identity,
                    hold,
                    Optional.of(request),
                    snapshot.sha256(),
                    plan,
                    moment.now(),
                    moment.now().plus(holdTimeout));
        }

        /** A policy refused the answer, or what it decided does not fit; the answer is still to be billed. */
        Compensating refused(Failure failure, Snapshot snapshot, EffectPlan billing) {
            return new Compensating(identity, failure, snapshot.sha256(), billing);
        }
    }

    /** The decision is recorded; its effects are being carried out. */
    record Acknowledged(Identity identity, String snapshot, String decision, EffectPlan plan, Instant acknowledgedAt)
            implements Open {
        public Acknowledged {
            Objects.requireNonNull(identity, "identity");
            Objects.requireNonNull(snapshot, "snapshot");
            Objects.requireNonNull(decision, "decision");
            Objects.requireNonNull(plan, "plan");
            Objects.requireNonNull(acknowledgedAt, "acknowledgedAt");
        }

        @Override
        public Status status() {
            return Status.ACKNOWLEDGED;
        }

        @Override
        public Optional<String> snapshotSha256() {
            return Optional.of(snapshot);
        }

        @Override
        public Set<Timer> timers() {
            Timer next = effectTimer(identity, plan, acknowledgedAt);
            // Past the pivot there is only forward: the request's deadline no longer means anything.
            return plan.pastPivot() ? Set.of(next) : withDeadline(identity, next);
        }

        @Override
        public Acknowledged with(EffectPlan next) {
            return new Acknowledged(identity, snapshot, decision, next, acknowledgedAt);
        }

        Committed committed(Moment moment, Duration retention) {
            return new Committed(
                    identity,
                    snapshot,
                    decision,
                    plan,
                    moment.now(),
                    moment.endOfRequest().plus(retention));
        }

        Compensating compensating(Failure failure) {
            return new Compensating(identity, failure, snapshot, plan);
        }

        Held held(Hold hold, Moment moment, Duration holdTimeout) {
            return new Held(
                    identity,
                    hold,
                    Optional.empty(),
                    snapshot,
                    plan,
                    moment.now(),
                    moment.now().plus(holdTimeout));
        }
    }

    /**
     * A person must decide.
     *
     * @param request kept while a policy may have to decide again
     * @param reportAt when it is reported again
     */
    record Held(
            Identity identity,
            Hold hold,
            Optional<ModelRequest> request,
            String snapshot,
            EffectPlan plan,
            Instant heldAt,
            Instant reportAt)
            implements Open {
        public Held {
            Objects.requireNonNull(identity, "identity");
            Objects.requireNonNull(hold, "hold");
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(snapshot, "snapshot");
            Objects.requireNonNull(plan, "plan");
            Objects.requireNonNull(heldAt, "heldAt");
            Objects.requireNonNull(reportAt, "reportAt");
        }

        @Override
        public Status status() {
            return Status.HELD;
        }

        @Override
        public Optional<String> snapshotSha256() {
            return Optional.of(snapshot);
        }

        @Override
        public Set<Timer> timers() {
            Set<Timer> timers = new LinkedHashSet<>();
            timers.add(Timer.of(Timer.Kind.HOLD, reportAt, identity.id()));
            plan.nextDue().ifPresent(due -> timers.add(Timer.of(Timer.Kind.EFFECT, due, identity.id())));
            return timers;
        }

        @Override
        public Held with(EffectPlan next) {
            return new Held(identity, hold, request, snapshot, next, heldAt, reportAt);
        }

        Held reportedAgain(Instant next) {
            return new Held(identity, hold, request, snapshot, plan, heldAt, next);
        }

        Held because(Hold newHold) {
            return new Held(identity, newHold, request, snapshot, plan, heldAt, reportAt);
        }

        /** What it waits for has come about: nothing is wrong any more of what it was held for. */
        boolean isClear() {
            return switch (hold.reason()) {
                case EFFECT_UNKNOWN -> !plan.any(Progress.Status.UNKNOWN);
                case EFFECT_FAILED -> !plan.any(Progress.Status.FAILED);
                case BILLING_FAILED ->
                    plan.billing().map(step -> step.forward().isPassed()).orElse(true);
                case COMPENSATION_STUCK -> !plan.anyUndoStuck();
                case APPROVAL, POLICY_ERROR, PROCESSING_ERROR -> false;
            };
        }

        /** Back to where it was held: to its compensation, or to its effects. */
        Open goesOn(String decision, Moment moment) {
            return hold.failure().<Open>map(this::compensating).orElseGet(() -> resumed(decision, plan, moment.now()));
        }

        Acknowledged resumed(String decision, EffectPlan next, Instant at) {
            return new Acknowledged(identity, snapshot, decision, next, at);
        }

        Compensating compensating(Failure failure) {
            return new Compensating(identity, failure, snapshot, plan);
        }
    }

    /** Going back: carried-out effects are undone one at a time, in reverse order, and the answer is billed; then FAILED. */
    record Compensating(Identity identity, Failure failure, String snapshot, EffectPlan plan) implements Open {
        public Compensating {
            Objects.requireNonNull(identity, "identity");
            Objects.requireNonNull(failure, "failure");
            Objects.requireNonNull(snapshot, "snapshot");
            Objects.requireNonNull(plan, "plan");
        }

        @Override
        public Status status() {
            return Status.COMPENSATING;
        }

        @Override
        public Optional<String> snapshotSha256() {
            return Optional.of(snapshot);
        }

        @Override
        public Set<Timer> timers() {
            return Set.of(effectTimer(identity, plan, identity.receivedAt()));
        }

        @Override
        public Compensating with(EffectPlan next) {
            return new Compensating(identity, failure, snapshot, next);
        }

        /** The pivot succeeded before anything was undone. */
        Acknowledged forwardAgain(String decision, Instant at) {
            return new Acknowledged(identity, snapshot, decision, plan, at);
        }

        Held held(Hold hold, Moment moment, Duration holdTimeout) {
            return new Held(
                    identity,
                    hold,
                    Optional.empty(),
                    snapshot,
                    plan,
                    moment.now(),
                    moment.now().plus(holdTimeout));
        }
    }

    /** Took effect, once. */
    record Committed(
            Identity identity, String snapshot, String decision, EffectPlan plan, Instant endedAt, Instant expiresAt)
            implements Ended {
        public Committed {
            Objects.requireNonNull(identity, "identity");
            Objects.requireNonNull(snapshot, "snapshot");
            Objects.requireNonNull(decision, "decision");
            Objects.requireNonNull(plan, "plan");
            Objects.requireNonNull(endedAt, "endedAt");
            Objects.requireNonNull(expiresAt, "expiresAt");
        }

        @Override
        public Status status() {
            return Status.COMMITTED;
        }

        @Override
        public Committed with(EffectPlan next) {
            return new Committed(identity, snapshot, decision, next, endedAt, expiresAt);
        }
    }

    /** Did not take effect, or took it back. */
    record Failed(
            Identity identity,
            Failure failure,
            Optional<String> snapshot,
            EffectPlan plan,
            Instant endedAt,
            Instant expiresAt)
            implements Ended {
        public Failed {
            Objects.requireNonNull(identity, "identity");
            Objects.requireNonNull(failure, "failure");
            Objects.requireNonNull(snapshot, "snapshot");
            Objects.requireNonNull(plan, "plan");
            Objects.requireNonNull(endedAt, "endedAt");
            Objects.requireNonNull(expiresAt, "expiresAt");
        }

        @Override
        public Status status() {
            return Status.FAILED;
        }

        @Override
        public Failed with(EffectPlan next) {
            return new Failed(identity, failure, snapshot, next, endedAt, expiresAt);
        }
    }

    private static Timer effectTimer(Identity identity, EffectPlan plan, Instant otherwise) {
        return Timer.of(Timer.Kind.EFFECT, plan.nextDue().orElse(otherwise), identity.id());
    }

    private static Set<Timer> withDeadline(Identity identity, Timer timer) {
        return identity.deadline()
                .map(deadline -> Set.of(timer, Timer.of(Timer.Kind.REQUEST_DEADLINE, deadline, identity.id())))
                .orElseGet(() -> Set.of(timer));
    }
}
