package io.hellogpt.once.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A model call is in flight, as far as is known. */
public record Generating(Identity identity, ModelRequest request, CallHistory history, CallInFlight call)
        implements RequestState.Unanswered {
    public Generating {
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(history, "history");
        Objects.requireNonNull(call, "call");
    }

    @Override
    public Status status() {
        return Status.GENERATING;
    }

    @Override
    public Set<Timer> timers() {
        return Timer.withDeadline(identity, Timer.of(Timer.Kind.CALL_DEADLINE, call.givenUpAt(), identity.id()));
    }

    @Override
    public Generating with(Identity next) {
        return new Generating(next, request, history, call);
    }

    /** The number of the call, from 1. */
    public int attempt() {
        return history.calls();
    }

    Generating handedOver(int callersAttempt, Instant callersDeadline, String liveCaller) {
        return new Generating(
                identity, request, history.handedOver(callersAttempt), call.handedOver(callersDeadline, liveCaller));
    }

    /** The call failed; another one is due. */
    Pending retryAt(Instant due, CallHistory next) {
        return new Pending(identity, request, next, due);
    }

    CallHistory historyAfter(boolean counts, Instant now, String error) {
        Duration unattended = now.isAfter(call.givenUpAt()) ? Duration.between(call.givenUpAt(), now) : Duration.ZERO;
        return counts ? history.failed(call.startedAt(), unattended, error) : history.lost(error);
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
