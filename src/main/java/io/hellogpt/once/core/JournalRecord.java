package io.hellogpt.once.core;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** What stands in the journal, topic {@code model-responses}. */
public sealed interface JournalRecord {

    /** The result of a call, whichever it is. */
    sealed interface CallResult extends JournalRecord {
        RequestId id();

        int turn();

        int attempt();

        Instant requestReceivedAt();
    }

    /** A call gave an answer. */
    record Answered(RequestId id, int turn, int attempt, Instant requestReceivedAt, Answer answer)
            implements CallResult {
        public Answered {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(requestReceivedAt, "requestReceivedAt");
            Objects.requireNonNull(answer, "answer");
        }
    }

    /** A call gave an error. */
    record CallFailed(RequestId id, int turn, int attempt, Instant requestReceivedAt, CallError error, Instant at)
            implements CallResult {
        public CallFailed {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(requestReceivedAt, "requestReceivedAt");
            Objects.requireNonNull(error, "error");
            Objects.requireNonNull(at, "at");
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

    /** A call in flight at a handover; its live caller keeps it until {@code deadline}. */
    record RunningCall(RequestId id, int attempt, Instant deadline) {
        public RunningCall {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(deadline, "deadline");
        }
    }
}
