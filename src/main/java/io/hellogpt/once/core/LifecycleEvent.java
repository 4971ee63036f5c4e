package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One line of the audit log.
 *
 * @param from the state before, empty for a new request
 * @param to the state after; equal to {@code from} when something was noted and nothing changed
 * @param attempt of the call or effect it is about, 0 when about neither
 * @param actor who caused it, when a person did
 */
public record LifecycleEvent(
        RequestId id,
        Type type,
        Optional<RequestState.Status> from,
        RequestState.Status to,
        SourcePosition source,
        int attempt,
        Optional<EffectId> effectId,
        String detail,
        Optional<String> actor,
        Instant at) {
    public LifecycleEvent {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(effectId, "effectId");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(actor, "actor");
        Objects.requireNonNull(at, "at");
    }

    /** What happened. */
    public enum Type {
        ACCEPTED,
        DISPATCHED,
        CALL_FAILED,
        /** No result came: the caller is gone, or its time is over. The call may have been made and paid for. */
        CALL_LOST,
        HANDED_OVER,
        DECIDED,
        HELD,
        /** What it was held for is over. */
        RESUMED,
        EFFECT_ISSUED,
        EFFECT_OUTCOME,
        /** A callback for an effect that is settled, or a failure while a further attempt is out; it changes nothing. */
        CALLBACK_LATE,
        /** A callback that cannot be true: its effect was never issued, or it says neither yes nor no. */
        CALLBACK_REFUSED,
        COMPENSATING,
        COMMITTED,
        FAILED,
        COMMAND_APPLIED,
        COMMAND_REFUSED,
        STILL_HELD
    }
}
