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
 */
public record ModelCall(ModelRequest request, int turn, int attempt, Life life, Instant deadline) {
    public ModelCall {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(life, "life");
        Objects.requireNonNull(deadline, "deadline");
    }

    /** A call for a request whose fingerprint is not known. */
    public ModelCall(ModelRequest request, int turn, int attempt, Instant requestReceivedAt, Instant deadline) {
        this(request, turn, attempt, new Life(requestReceivedAt, Optional.empty()), deadline);
    }

    public RequestId id() {
        return request.id();
    }

    public Instant requestReceivedAt() {
        return life.receivedAt();
    }
}
