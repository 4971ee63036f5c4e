package io.hellogpt.once.model;

import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.RequestId;
import java.time.Duration;
import java.util.Optional;

/** One call of this process, from its start until its result is known to be in the journal. Guarded by its registry's lock. */
final class CallEntry {
    final int partition;
    final ModelCall call;
    /** What the gate said when the call started. */
    final long epoch;
    /** How long the call may take. */
    final Duration timeout;

    /** The latest attempt this call counts as: a later start attaches to it and raises the number. */
    private int attempt;

    private Phase phase = Phase.RUNNING;
    private Thread thread;

    enum Phase {
        RUNNING,
        /** Has a result, which the journal has not acknowledged. */
        ENDED,
        /** Nobody wants the result. */
        CANCELLED,
        /** Given up because the process stops. */
        ABANDONED
    }

    CallEntry(int partition, ModelCall call, long epoch, Duration timeout) {
        this.partition = partition;
        this.call = call;
        this.epoch = epoch;
        this.timeout = timeout;
        this.attempt = call.attempt();
    }

    RequestId id() {
        return call.id();
    }

    int attempt() {
        return attempt;
    }

    Phase phase() {
        return phase;
    }

    void raiseAttempt(int later) {
        attempt = Math.max(attempt, later);
    }

    /** Remembers whom to interrupt. */
    void runsOn(Thread virtual) {
        thread = virtual;
        if (phase != Phase.RUNNING) {
            virtual.interrupt();
        }
    }

    void end() {
        if (phase == Phase.RUNNING) {
            phase = Phase.ENDED;
        }
    }

    /** Interrupts the call if it runs; one that has ended goes on to the journal: its answer is paid for. */
    boolean giveUp(Phase why) {
        if (phase != Phase.RUNNING) {
            return false;
        }
        phase = why;
        if (thread != null) {
            thread.interrupt();
        }
        return true;
    }

    JournalRecord.RunningCall asRunning() {
        return new JournalRecord.RunningCall(id(), attempt, call.deadline(), Optional.of(call.life()));
    }
}
