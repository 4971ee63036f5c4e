package io.hellogpt.once.core;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What stands in the journal, topic {@code model-responses}. */
public sealed interface JournalRecord {

    /** The result of a call, whichever it is. */
    sealed interface CallResult extends JournalRecord {
        RequestId id();

        int turn();

        int attempt();

        /** Which request of that id was called for. */
        Life life();

        default Instant requestReceivedAt() {
            return life().receivedAt();
        }
    }

    /** A call gave an answer. */
    record Answered(RequestId id, int turn, int attempt, Life life, Answer answer) implements CallResult {
        public Answered {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(life, "life");
            Objects.requireNonNull(answer, "answer");
        }

        /** As versions before 0.2 wrote it, without a fingerprint. */
        public Answered(RequestId id, int turn, int attempt, Instant requestReceivedAt, Answer answer) {
            this(id, turn, attempt, new Life(requestReceivedAt, Optional.empty()), answer);
        }
    }

    /** A call gave an error. */
    record CallFailed(RequestId id, int turn, int attempt, Life life, CallError error, Instant at)
            implements CallResult {
        public CallFailed {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(life, "life");
            Objects.requireNonNull(error, "error");
            Objects.requireNonNull(at, "at");
        }

        /** As versions before 0.2 wrote it, without a fingerprint. */
        public CallFailed(RequestId id, int turn, int attempt, Instant requestReceivedAt, CallError error, Instant at) {
            this(id, turn, attempt, new Life(requestReceivedAt, Optional.empty()), error, at);
        }
    }

    /**
     * Written by a task that (re)starts, to its own partition. When the task reads it back, every answer journaled before is
     * in, and unfinished calls may be dispatched again.
     *
     * @param barrierId unique to one start of one task
     */
    record Barrier(String barrierId) implements JournalRecord {
        public Barrier {
            Objects.requireNonNull(barrierId, "barrierId");
        }
    }

    /**
     * Written by a task that is closed while its process lives: these calls still run there, and their answers will reach
     * the journal.
     *
     * @param instance the process that runs the calls
     */
    record Handover(String instance, List<RunningCall> calls) implements JournalRecord {
        public Handover {
            Objects.requireNonNull(instance, "instance");
            calls = List.copyOf(calls);
        }
    }

    /**
     * A call in flight at a handover; its live caller keeps it until {@code deadline}.
     *
     * @param life which request of that id; empty in records that a version before 0.2 wrote
     */
    record RunningCall(RequestId id, int attempt, Instant deadline, Optional<Life> life) {
        public RunningCall {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(deadline, "deadline");
            Objects.requireNonNull(life, "life");
        }

        /** As versions before 0.2 wrote it. */
        public RunningCall(RequestId id, int attempt, Instant deadline) {
            this(id, attempt, deadline, Optional.empty());
        }
    }
}
