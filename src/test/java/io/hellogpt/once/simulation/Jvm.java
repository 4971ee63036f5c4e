package io.hellogpt.once.simulation;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.Life;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.RequestId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run of one process: its calls, which die with it, and its clock. */
final class Jvm {
    private static final int SLOTS = 2;

    private final String instance;
    private final long skewMillis;
    private final Map<RequestId, Call> live = new LinkedHashMap<>();
    private final Map<RequestId, Journaled> journaled = new HashMap<>();
    private final List<JournalRecord> delayed = new ArrayList<>();
    private boolean stalled;
    private boolean paused;
    private boolean journalDown;

    private record Journaled(int attempt, Life life, Instant until) {}

    /** One call, from its start until its result is known to be in the journal. */
    static final class Call {
        private final ModelCall call;
        private final String name;
        private int attempt;
        private Optional<Result> result = Optional.empty();

        private Call(ModelCall call, String name) {
            this.call = call;
            this.name = name;
            this.attempt = call.attempt();
        }

        RequestId id() {
            return call.id();
        }

        int attempt() {
            return attempt;
        }

        /** Tells the calls of one request apart. */
        String name() {
            return name;
        }

        ModelCall call() {
            return call;
        }

        Optional<Result> result() {
            return result;
        }

        void end(Result end) {
            result = Optional.of(end);
        }
    }

    /** What a call ended with. */
    sealed interface Result {
        record Body(String text) implements Result {}

        record Error(CallError error) implements Result {}
    }

    Jvm(String instance, long skewMillis) {
        this.instance = instance;
        this.skewMillis = skewMillis;
    }

    String instance() {
        return instance;
    }

    long skewMillis() {
        return skewMillis;
    }

    /** Lost its task without having closed it, and lives on. */
    boolean isStalled() {
        return stalled;
    }

    void stall() {
        stalled = true;
    }

    void wake() {
        stalled = false;
    }

    void pause(boolean on) {
        paused = on;
    }

    boolean isPaused() {
        return paused;
    }

    List<Call> calls() {
        return List.copyOf(live.values());
    }

    boolean hasCalls() {
        return !live.isEmpty();
    }

    boolean hasSlot() {
        return !paused && live.size() < SLOTS;
    }

    /** Starts a call unless one that counts for it is known here; says whether it did. */
    boolean start(ModelCall call, Instant now, String name) {
        Call running = live.get(call.id());
        if (running != null && running.call.life().equals(call.life())) {
            running.attempt = Math.max(running.attempt, call.attempt());
            return false;
        }
        Journaled earlier = journaled.get(call.id());
        boolean counts = earlier != null && earlier.life().equals(call.life());
        if (counts && earlier.until().isAfter(now) && earlier.attempt() >= call.attempt()) {
            return false;
        }
        live.put(call.id(), new Call(call, name));
        return true;
    }

    /** Interrupts a running call, which it returns; one that has ended goes on to the journal. */
    Optional<ModelCall> cancel(RequestId id) {
        Call call = live.get(id);
        return call != null && call.result.isEmpty() && live.remove(id, call)
                ? Optional.of(call.call)
                : Optional.empty();
    }

    boolean isJournalDown() {
        return journalDown;
    }

    void journalDown() {
        journalDown = true;
    }

    /** What could not be written meanwhile. */
    List<JournalRecord> journalUp() {
        List<JournalRecord> waiting = List.copyOf(delayed);
        delayed.clear();
        journalDown = false;
        return waiting;
    }

    void delay(JournalRecord record) {
        delayed.add(record);
    }

    /** The journal has acknowledged the call's result. */
    void settle(Call call) {
        live.remove(call.id());
        journaled.put(call.id(), new Journaled(call.attempt, call.call.life(), call.call.deadline()));
    }

    List<JournalRecord.RunningCall> unsettled() {
        List<JournalRecord.RunningCall> calls = new ArrayList<>();
        for (Call call : live.values()) {
            calls.add(new JournalRecord.RunningCall(
                    call.id(), call.attempt, call.call.deadline(), Optional.of(call.call.life())));
        }
        return calls;
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        List<Object> all = new ArrayList<>(
                List.of(instance, stalled, paused, journalDown, List.copyOf(delayed), Map.copyOf(journaled)));
        for (Call call : live.values()) {
            all.add(List.of(call.id(), call.attempt, call.call, call.result));
        }
        return all;
    }
}
