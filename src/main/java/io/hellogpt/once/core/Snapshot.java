package io.hellogpt.once.core;

import java.util.Objects;

/**
 * The one answer recorded for a request. Immutable: decision, effects, billing and result derive from it alone.
 *
 * @param turn 0; reserved for runs of several model turns
 * @param attempt which call attempt gave the answer, from 1
 */
public record Snapshot(RequestId id, int turn, int attempt, Answer answer) {
    public Snapshot {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(answer, "answer");
    }

    public String sha256() {
        return answer.bodySha256();
    }
}
