package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One attempt to get an answer.
 *
 * @param turn 0; reserved for runs of several model turns
 * @param attempt from 1
 * @param life which request of the id this is; it goes into every journal record about the call
 * @param deadline when the gateway gives up and journals a retryable error
 * @param trace told to the model's server
 */
public record ModelCall(
        ModelRequest request, int turn, int attempt, Life life, Instant deadline, Optional<TraceContext> trace) {
    public ModelCall {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(life, "life");
        Objects.requireNonNull(deadline, "deadline");
        Objects.requireNonNull(trace, "trace");
    }

    /** A call that belongs to no trace. */
    public ModelCall(ModelRequest request, int turn, int attempt, Life life, Instant deadline) {
        this(request, turn, attempt, life, deadline, Optional.empty());
    }

    /** A call for a request whose fingerprint is not known. */
    public ModelCall(ModelRequest request, int turn, int attempt, Instant requestReceivedAt, Instant deadline) {
        this(request, turn, attempt, new Life(requestReceivedAt, Optional.empty()), deadline);
    }

    /** The same call, told to the model's server under another span. */
    public ModelCall traced(Optional<TraceContext> other) {
        return new ModelCall(request, turn, attempt, life, deadline, other);
    }

    public RequestId id() {
        return request.id();
    }

    public Instant requestReceivedAt() {
        return life.receivedAt();
    }
}
