package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.simulation.Topics.Input;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything there is, in virtual time: topics, stores and ledger, which last; two processes and the task in one of them, which do
 * not. What happens to it is up to the {@link Move}s; everything that becomes visible is shown to the {@link Invariants}.
 */
final class World {
    private final Protocol protocol;
    private final Invariants invariants = new Invariants(Protocol.SETTINGS.dedupRetention());
    private final Topics topics = new Topics();
    private final Stores stores = new Stores();
    private final Connector connector = new Connector(invariants::carriedOut);
    private final Transaction transaction;
    private final Calls calls;
    private final Processes processes;
    private Instant now = Instant.ofEpochSecond(1_800_000_000);

    World(Protocol protocol) {
        this.protocol = protocol;
        this.transaction = new Transaction(protocol, topics, stores, invariants);
        this.calls = new Calls(topics, invariants);
        this.processes = new Processes(this, invariants, transaction);
        processes.begin();
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

    Calls calls() {
        return calls;
    }

    Processes processes() {
        return processes;
    }

    Task task() {
        return processes.task();
    }

    Jvm jvm(int index) {
        return processes.jvm(index);
    }

    Instant now() {
        return now;
    }

    Moment moment(Jvm jvm) {
        return new Moment(now.plusMillis(jvm.skewMillis()), transaction.streamTime());
    }

    // Producers

    /** Appends a request; one with the same id and variant is the same request. */
    Sent send(
            RequestId id, String content, boolean misplaced, Optional<Instant> createdAt, Optional<Instant> deadline) {
        String kind = content.substring(0, content.indexOf('/'));
        ModelRequest request = new ModelRequest(
                id, kind, content, "{}", SimulatedPolicy.NAME, List.of(), createdAt, deadline, Map.of());
        Sent sent = new Sent(topics.requests.size(), request, new Fingerprint(content), now, misplaced);
        topics.requests.add(sent);
        return sent;
    }

    // The task

    boolean hasUnread(Input input) {
        return transaction.hasUnread(input);
    }

    int position(Input input) {
        return transaction.position(input);
    }

    void read(Input input) {
        int offset = transaction.next(input);
        switch (input) {
            case REQUESTS -> {
                Sent sent = topics.requests.get(offset);
                transaction.passStreamTime(sent.appendedAt());
                if (sent.misplaced()) {
                    transaction.see(new Seen.Rerouted(sent));
                } else {
                    transaction.see(new Seen.Request(sent));
                    task().request(sent);
                }
            }
            case REROUTED -> {
                Sent sent = topics.rerouted.get(offset);
                transaction.see(new Seen.Request(sent));
                reread(sent);
            }
            case JOURNAL -> {
                transaction.see(new Seen.Other());
                task().journal(topics.journal.get(offset));
            }
            case OUTCOMES -> {
                EffectOutcome outcome = topics.outcomes.get(offset);
                transaction.see(new Seen.Outcome(outcome));
                task().outcome(outcome);
            }
            case COMMANDS -> {
                OperatorCommand command = topics.commands.get(offset);
                transaction.see(new Seen.Command(command));
                task().command(command);
            }
        }
    }

    /** The record is processed although its offset was consumed before. */
    void readOnceMore(Sent sent) {
        transaction.see(new Seen.Other());
        reread(sent);
    }

    private void reread(Sent sent) {
        transaction.passStreamTime(sent.appendedAt());
        task().request(sent);
    }

    boolean isDue(Timer.Kind kind) {
        return stores.anyDue(kind, clock(kind));
    }

    /** One batch of timers of a kind, beginning with any of those that are due. */
    void fire(Timer.Kind kind, int pick) {
        List<Timer> due = stores.due(kind, clock(kind), 8);
        transaction.see(new Seen.Other());
        task().fire(due.get(pick % due.size()));
    }

    private Instant clock(Timer.Kind kind) {
        Moment moment = moment(task().jvm());
        return kind == Timer.Kind.EXPIRY ? moment.streamTime() : moment.now();
    }

    void produced(Fact fact) {
        transaction.see(new Seen.Produced(fact));
    }

    boolean inTransaction() {
        return transaction.isOpen();
    }

    /** How much one transaction holds so far. */
    long inputsInTransaction() {
        return transaction.inputs();
    }

    void commit() {
        transaction.commit();
    }

    // Time

    /** Time passes; calls of processes that are not cut off end at their deadline. */
    void advance(Duration by, Jvm.Result timedOut) {
        now = now.plus(by);
        for (Jvm jvm : processes.all()) {
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

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        return List.of(
                stores.contents(),
                connector.contents(),
                processes.contents(),
                transaction.contents(),
                calls.contents(),
                topics.contents(),
                now,
                invariants.contents());
    }
}
