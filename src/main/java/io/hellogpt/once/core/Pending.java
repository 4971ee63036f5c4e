package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Set;

/**
 * Accepted; waits for a slot, or for the end of a backoff.
 *
 * @param dueAt not dispatched before
 */
public record Pending(Identity identity, ModelRequest request, CallHistory history, Instant dueAt)
        implements RequestState.Unanswered {
    public Pending {
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(history, "history");
        Objects.requireNonNull(dueAt, "dueAt");
    }

    @Override
    public Status status() {
        return Status.PENDING;
    }

    @Override
    public Set<Timer> timers() {
        return Timer.withDeadline(
                identity, new Timer(Timer.Kind.PENDING, dueAt, identity.source().offset(), identity.id()));
    }

    @Override
    public Pending with(Identity next) {
        return new Pending(next, request, history, dueAt);
    }

    /** Model calls started so far. */
    public int calls() {
        return history.calls();
    }

    Generating generating(Instant startedAt, Instant deadline, String caller) {
        return new Generating(
                identity,
                request,
                history.started(dueAt, startedAt),
                new CallInFlight(startedAt, deadline, caller, false));
    }

    /** Another live process already runs the call. */
    Generating adopted(int attempt, Instant startedAt, Instant deadline, String caller) {
        return new Generating(
                identity,
                request,
                history.adopted(attempt, dueAt, startedAt),
                new CallInFlight(startedAt, deadline, caller, true));
    }

    /** A person wants it tried again, at once and with all attempts. */
    Pending newRound(Instant now) {
        return new Pending(identity, request, history.newRound(), now);
    }
}
