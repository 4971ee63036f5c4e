package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;

/**
 * One attempt to get an answer.
 *
 * @param turn 0; reserved for runs of several model turns
 * @param attempt from 1
 * @param requestReceivedAt orders the answer's journal record ahead of newer requests
 * @param deadline when the gateway gives up and journals a retryable error
 */
public record ModelCall(ModelRequest request, int turn, int attempt, Instant requestReceivedAt, Instant deadline) {
    public ModelCall {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(requestReceivedAt, "requestReceivedAt");
        Objects.requireNonNull(deadline, "deadline");
    }

    public RequestId id() {
        return request.id();
    }
}
