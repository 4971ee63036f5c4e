package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.core.Usage;
import io.hellogpt.once.simulation.Topics.Input;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything there is, in virtual time: topics, stores and ledger, which last; two processes and the task in one of them, which do
 * not. What happens to it is up to the {@link Move}s; everything that becomes visible is shown to the {@link Invariants}.
 */
final class World {
    private static final int TOO_LARGE = 101;

    private final Protocol protocol;
    private final Invariants invariants = new Invariants(Protocol.SETTINGS.dedupRetention());
    private final Topics topics = new Topics();
    private final Stores stores = new Stores();
    private final Connector connector = new Connector(invariants::carriedOut);
    private final Jvm[] jvms = new Jvm[2];
    private final List<Seen> transaction = new ArrayList<>();
    private int[] positions = new int[Input.values().length];
    private int[] committedPositions = positions.clone();
    private Instant streamTime = Instant.EPOCH;
    private Instant committedStreamTime = streamTime;
    private Instant now = Instant.ofEpochSecond(1_800_000_000);
    private int journalAtCommit;
    private final Map<RequestId, Integer> callsMade = new HashMap<>();
    private int serial;
    private Task task;

    World(Protocol protocol) {
        this.protocol = protocol;
        jvms[0] = newJvm(0);
        jvms[1] = newJvm(0);
        startTask(0);
    }

    private Jvm newJvm(long skewMillis) {
        return new Jvm("jvm-" + serial++, skewMillis);
    }

    Protocol protocol() {
        return protocol;
    }

    Stores stores() {
        return stores;
    }

    Topics topics() {
        return topics;
    }

    Connector connector() {
        return connector;
    }

    Invariants invariants() {
        return invariants;
    }

    Task task() {
        return task;
    }

    Jvm jvm(int index) {
        return jvms[index];
    }

    Instant now() {
        return now;
    }

    Moment moment(Jvm jvm) {
        return new Moment(now.plusMillis(jvm.skewMillis()), streamTime);
    }

    int nextSerial() {
        return serial++;
    }

    // Producers

    /** Appends a request; one with the same id and variant is the same request. */
    Sent send(RequestId id, Kind kind, int variant, Optional<Instant> createdAt, Optional<Instant> deadline) {
        String content = kind + "/" + variant;
        ModelRequest request = new ModelRequest(
                id, kind.name(), content, "{}", SimulatedPolicy.NAME, List.of(), createdAt, deadline, Map.of());
        Sent sent = new Sent(topics.requests.size(), request, new Fingerprint(content), now);
        topics.requests.add(sent);
        return sent;
    }

    // The task

    boolean hasUnread(Input input) {
        return positions[input.ordinal()] < topics.end(input);
    }

    int position(Input input) {
        return positions[input.ordinal()];
    }

    void read(Input input) {
        int offset = positions[input.ordinal()]++;
        switch (input) {
            case REQUESTS -> {
                Sent sent = topics.requests.get(offset);
                transaction.add(new Seen.Request(sent));
                reread(sent);
            }
            case JOURNAL -> task.journal(topics.journal.get(offset));
            case OUTCOMES -> {
                EffectOutcome outcome = topics.outcomes.get(offset);
                transaction.add(new Seen.Outcome(outcome));
                task.outcome(outcome);
            }
            case COMMANDS -> {
                OperatorCommand command = topics.commands.get(offset);
                transaction.add(new Seen.Command(command));
                task.command(command);
            }
        }
    }

    /** The record is processed although its offset may have been consumed before. */
    void reread(Sent sent) {
        streamTime = sent.appendedAt().isAfter(streamTime) ? sent.appendedAt() : streamTime;
        task.request(sent);
    }

    boolean isDue(Timer.Kind kind) {
        Moment moment = moment(task.jvm());
        return stores.anyDue(kind, kind == Timer.Kind.EXPIRY ? moment.streamTime() : moment.now());
    }

    void fire(Timer.Kind kind, int pick) {
        Moment moment = moment(task.jvm());
        List<Timer> due = stores.due(kind, kind == Timer.Kind.EXPIRY ? moment.streamTime() : moment.now(), 8);
        task.fire(due.get(pick % due.size()));
    }

    void produced(Fact fact) {
        if (fact instanceof Fact.Forget(var state)) {
            // Counts at once, like every call.
            invariants.callsForgotten(state.id());
        }
        transaction.add(new Seen.Produced(fact));
    }

    /** Counts at once: an aborted transaction only does it again. */
    void stashExpired(RequestId id) {
        invariants.stashExpired(id);
    }

    boolean inTransaction() {
        return !transaction.isEmpty() || !java.util.Arrays.equals(positions, committedPositions) || stores.isDirty();
    }

    void commit() {
        stores.commit();
        stores.check();
        committedPositions = positions.clone();
        committedStreamTime = streamTime;
        journalAtCommit = topics.journal.size();
        for (Seen seen : transaction) {
            if (seen instanceof Seen.Produced(Fact.IssueEffect(Effect effect))) {
                topics.effects.add(effect);
            }
        }
        invariants.committed(transaction);
        transaction.clear();
    }

    private void rollBack() {
        if (!protocol.effectsAreReadCommitted()) {
            leakEffects();
        }
        if (protocol.abortUndoesStores()) {
            stores.abort();
        } else {
            stores.commit();
        }
        if (protocol.abortUndoesOffsets()) {
            positions = committedPositions.clone();
            streamTime = committedStreamTime;
        } else {
            committedPositions = positions.clone();
            committedStreamTime = streamTime;
        }
        if (!protocol.journalOutlivesAbort()) {
            dropJournalSinceCommit();
        }
        invariants.aborted(transaction);
        transaction.clear();
    }

    private void leakEffects() {
        for (Seen seen : transaction) {
            if (seen instanceof Seen.Produced(Fact.IssueEffect(Effect effect))) {
                topics.effects.add(effect);
            }
        }
    }

    private void dropJournalSinceCommit() {
        List<JournalRecord> rest = topics.journal.subList(journalAtCommit, topics.journal.size());
        rest.removeIf(JournalRecord.CallResult.class::isInstance);
        positions[Input.JOURNAL.ordinal()] = Math.min(positions[Input.JOURNAL.ordinal()], topics.journal.size());
    }

    int owner() {
        return task.jvm() == jvms[0] ? 0 : 1;
    }

    private void startTask(int index) {
        task = new Task(this, jvms[index], "barrier-" + serial++);
        invariants.taskStarted();
        task.init();
    }

    /** The transaction is aborted; the task is closed and begins anew, here or in the other process. */
    void abort(boolean elsewhere) {
        rollBack();
        close();
        startTask(elsewhere ? 1 - owner() : owner());
    }

    /** The task moves to the other process in good order. */
    void migrate() {
        commit();
        close();
        startTask(1 - owner());
    }

    private void close() {
        handOver(task.jvm());
    }

    private void handOver(Jvm jvm) {
        List<JournalRecord.RunningCall> calls = jvm.unsettled();
        if (!calls.isEmpty() && protocol.handsOver()) {
            journal(new JournalRecord.Handover(jvm.instance(), calls));
        }
    }

    /** A process dies and is started again; if it owned the task, the task begins in one of the two. */
    void crash(int index, boolean elsewhere, long skewMillis) {
        boolean owned = owner() == index;
        if (owned) {
            rollBack();
        }
        jvms[index].calls().forEach(call -> invariants.crashHit(call.id()));
        jvms[index] = newJvm(skewMillis);
        if (owned) {
            startTask(elsewhere ? 1 - index : index);
        }
    }

    /** The owner is cut off: the group gives its task away, and it hands nothing over until it wakes. */
    void stall() {
        rollBack();
        Jvm cutOff = task.jvm();
        cutOff.calls().forEach(call -> invariants.crashHit(call.id()));
        cutOff.stall();
        startTask(1 - owner());
    }

    /** A cut-off process is back, finds itself fenced and closes its task. */
    void wake(int index) {
        jvms[index].wake();
        handOver(jvms[index]);
    }

    /** A process is stopped in good order: the task moves, the calls that still run are given up. */
    void shutDown(Jvm.Result givenUp, int index) {
        if (owner() == index) {
            migrate();
        }
        for (Jvm.Call call : jvms[index].calls()) {
            if (call.result().isEmpty()) {
                call.end(givenUp);
            }
            journal(jvms[index], call, true);
        }
        jvms[index] = newJvm(0);
    }

    // Calls

    void startCall(Jvm jvm, ModelCall call) {
        String name = call.id() + "#" + callsMade.getOrDefault(call.id(), 0);
        if (jvm.start(call, moment(jvm).now(), name)) {
            callsMade.merge(call.id(), 1, Integer::sum);
            invariants.callStarted(call.id(), call.deadline());
        }
    }

    void cancelCall(Jvm jvm, RequestId id) {
        if (jvm.cancel(id)) {
            invariants.callCancelled(id);
        }
    }

    /** The call's result is written to the journal; unacknowledged, it will be written again. */
    void journal(Jvm jvm, Jvm.Call call, boolean acknowledged) {
        journal(record(call));
        if (acknowledged) {
            jvm.settle(call);
        }
    }

    void journal(JournalRecord record) {
        topics.journal.add(record);
        if (record instanceof JournalRecord.CallResult result) {
            invariants.journaled(result);
        }
    }

    private JournalRecord record(Jvm.Call call) {
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

    // Time

    /** Time passes; calls of processes that are not cut off end at their deadline. */
    void advance(java.time.Duration by, Jvm.Result timedOut) {
        now = now.plus(by);
        for (Jvm jvm : jvms) {
            for (Jvm.Call call : jvm.isStalled() ? List.<Jvm.Call>of() : jvm.calls()) {
                if (call.result().isEmpty()
                        && !call.call().deadline().isAfter(moment(jvm).now())) {
                    call.end(timedOut);
                }
            }
        }
    }

    // The outbox

    boolean hasUnreadEffect() {
        return connector.position() < topics.effects.size();
    }

    Effect nextEffect() {
        return topics.effects.get(connector.position());
    }

    /** Nothing of this request is on its way anywhere, so that its id may be used again once it is forgotten. */
    boolean isQuiet(RequestId id) {
        boolean calling = java.util.stream.Stream.of(jvms)
                .flatMap(jvm -> jvm.calls().stream())
                .anyMatch(call -> call.id().equals(id));
        return !calling
                && stores.early(id).isEmpty()
                && connector.isQuiet(id)
                && !hasUnreadEffect()
                && !hasUnread(Input.OUTCOMES)
                && !hasUnread(Input.JOURNAL)
                && !hasUnread(Input.COMMANDS);
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        return List.of(
                stores.contents(),
                connector.contents(),
                jvms[0].contents(),
                jvms[1].contents(),
                task.contents(),
                java.util.Arrays.hashCode(positions),
                topics.requests.size(),
                topics.journal,
                topics.outcomes,
                topics.commands.size(),
                topics.effects.size(),
                streamTime,
                now,
                invariants.contents());
    }
}
