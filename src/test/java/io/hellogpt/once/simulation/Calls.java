package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Usage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The gateways' side of the journal: calls that are made, and what is written of them. */
final class Calls {
    private static final int TOO_LARGE = 101;

    private final Topics topics;
    private final Invariants invariants;
    private final Map<RequestId, Integer> made = new HashMap<>();

    Calls(Topics topics, Invariants invariants) {
        this.topics = topics;
        this.invariants = invariants;
    }

    void start(Jvm jvm, ModelCall call, Instant now) {
        // A process has one call of an id; that of another request of the id gives way.
        for (Jvm.Call running : jvm.calls()) {
            if (running.id().equals(call.id()) && !running.call().life().equals(call.life())) {
                invariants.callCancelled(running.call());
            }
        }
        String name = call.id() + "#" + made.getOrDefault(call.id(), 0);
        if (jvm.start(call, now, name)) {
            made.merge(call.id(), 1, Integer::sum);
            invariants.callStarted(call);
        }
    }

    void cancel(Jvm jvm, RequestId id) {
        jvm.cancel(id).ifPresent(invariants::callCancelled);
    }

    /** The call's result is written to the journal; unacknowledged, it will be written again; not at all while it is down. */
    void journal(Jvm jvm, Jvm.Call call, boolean acknowledged) {
        if (jvm.isJournalDown()) {
            return;
        }
        write(record(call));
        if (acknowledged) {
            jvm.settle(call);
        }
    }

    void write(JournalRecord record) {
        topics.journal.add(record);
        if (record instanceof JournalRecord.CallResult result) {
            invariants.journaled(result);
        }
    }

    private static JournalRecord record(Jvm.Call call) {
        ModelCall made = call.call();
        return switch (call.result().orElseThrow()) {
            case Jvm.Result.Body(String text) ->
                new JournalRecord.Answered(call.id(), 0, call.attempt(), made.life(), answer(text, made.deadline()));
            case Jvm.Result.Error(CallError error) ->
                new JournalRecord.CallFailed(
                        call.id(),
                        0,
                        call.attempt(),
                        made.life(),
                        new CallError(error.kind(), "error-" + call.name(), error.retryAfter()),
                        made.deadline());
        };
    }

    /** An answer whose digest is its text; {@code large} in it makes it larger than is recorded. */
    private static Answer answer(String text, Instant at) {
        byte[] body = text.startsWith("large") ? new byte[TOO_LARGE] : text.getBytes(StandardCharsets.UTF_8);
        return new Answer(
                body,
                "text/plain",
                text,
                "simulated",
                "simulated",
                "{}",
                Usage.NONE,
                new Cost(1, "EUR", "1"),
                Optional.empty(),
                at,
                at);
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        return List.of(Map.copyOf(made));
    }
}
