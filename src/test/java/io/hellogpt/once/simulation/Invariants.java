package io.hellogpt.once.simulation;

import static io.hellogpt.once.simulation.Violation.unless;

import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides G1 to G7 from what others can see: the records of committed transactions, the calls that were made, and what the
 * receivers carried out. Knows nothing of the protocol's states.
 */
final class Invariants {
    private final RequestRules requests;
    private final EffectRules effects = new EffectRules();
    private final CallRules calls = new CallRules();
    private final AuditRules audit = new AuditRules();

    Invariants(Duration retention) {
        requests = new RequestRules(retention);
    }

    /** A transaction became visible. */
    void committed(List<Seen> transaction) {
        transaction.forEach(this::read);
        for (Seen seen : transaction) {
            switch (seen) {
                case Seen.Request(Sent sent) -> {
                    audit.next();
                    requests.consumed(sent);
                }
                case Seen.Rerouted(Sent sent) -> {
                    audit.next();
                    requests.passed(sent);
                }
                case Seen.Outcome(var outcome) -> {
                    Optional<Life> life = requests.current(outcome.effectId().requestId());
                    audit.read(outcome, life);
                    life.filter(Life::isOpen).ifPresent(known -> known.heard(outcome));
                }
                case Seen.Command(var command) -> {
                    Optional<Life> life = requests.current(command.requestId());
                    audit.read(command, life);
                    life.ifPresent(known -> known.approved |= command.verb() == OperatorCommand.Verb.APPROVE);
                }
                case Seen.Other other -> audit.next();
                case Seen.Produced(Fact fact) -> {
                    audit.produced(fact);
                    produced(fact);
                }
            }
        }
        audit.next();
        for (Seen seen : transaction) {
            if (seen instanceof Seen.Request(Sent sent)) {
                requests.check(sent);
            }
        }
        requests.check();
        for (Seen seen : transaction) {
            if (seen instanceof Seen.Produced(Fact.RecordSnapshot(Snapshot snapshot))) {
                checkAnswer(snapshot);
            }
        }
        calls.check();
    }

    /** Calls are made outside the transaction: what explains them counts although it was aborted. */
    void aborted(List<Seen> transaction) {
        transaction.forEach(this::read);
        for (Seen seen : transaction) {
            if (seen instanceof Seen.Produced(Fact.Log(LifecycleEvent event))) {
                explainCall(event);
            }
        }
    }

    private void read(Seen seen) {
        if (seen instanceof Seen.Request(Sent sent)) {
            requests.read(sent);
        }
    }

    private void explainCall(LifecycleEvent event) {
        requests.sentAt(event.source()).ifPresent(sent -> calls.explained(event, sent.life()));
    }

    private void produced(Fact fact) {
        switch (fact) {
            case Fact.Log(LifecycleEvent event) -> log(event);
            case Fact.RecordSnapshot(Snapshot snapshot) -> snapshot(snapshot);
            case Fact.IssueEffect(Effect effect) ->
                effects.issued(requests.life(effect.id().requestId()), effect);
            case Fact.Commit commit -> committed(commit);
            case Fact.Fail fail -> {
                calls.failed(fail.state());
                end(requests.life(fail.state().id()), fail);
            }
            case Fact.AnswerDuplicate(var duplicate) -> requests.duplicate(duplicate);
            case Fact.Reject reject -> requests.rejected(reject.rejection(), reject.source());
            case Fact.Forget(var state) -> requests.forget(state.id());
            case Fact.Save save -> throw notAnOutput(save);
            case Fact.Stash stash -> throw notAnOutput(stash);
            case Fact.Unstash unstash -> throw notAnOutput(unstash);
            case Fact.StartCall start -> throw notAnOutput(start);
            case Fact.CancelCall cancel -> throw notAnOutput(cancel);
            case Fact.Ignore ignore -> throw notAnOutput(ignore);
        }
    }

    private static IllegalStateException notAnOutput(Fact fact) {
        return new IllegalStateException("not an output: " + fact);
    }

    private void committed(Fact.Commit commit) {
        Life life = requests.life(commit.result().state().id());
        unless(
                life.snapshot.filter(commit.result().snapshot()::equals).isPresent()
                        && life.snapshot
                                .get()
                                .sha256()
                                .equals(commit.result().state().snapshot()),
                "G2",
                commit,
                "its result is not its snapshot");
        end(life, commit);
    }

    private void end(Life life, Fact terminal) {
        unless(life.isOpen(), "G1", terminal, "a second ending");
        effects.ended(life, terminal);
        requests.end(life, terminal);
    }

    private void log(LifecycleEvent event) {
        if (event.from().isEmpty()) {
            requests.accepted(event);
        }
        explainCall(event);
        calls.owned(event);
        if (event.type() == LifecycleEvent.Type.COMMAND_APPLIED) {
            Life life = requests.life(event.id());
            boolean failed = event.detail().startsWith("RESOLVE_FAILED");
            event.effectId().ifPresent(id -> life.settledByPerson(id, !failed));
            if (event.detail().startsWith("RETRY")) {
                life.allowRetries();
            }
        }
    }

    private void snapshot(Snapshot snapshot) {
        Life life = requests.life(snapshot.id());
        unless(life.snapshot.isEmpty(), "G2", snapshot.id(), "has a second snapshot");
        unless(life.isOpen(), "G2", snapshot.id(), "has a snapshot after its ending");
        life.snapshot = Optional.of(snapshot);
    }

    /** At the end of a transaction: an answer that came early is recorded ahead of the line that says it was accepted. */
    private void checkAnswer(Snapshot snapshot) {
        Life life = requests.life(snapshot.id());
        calls.recorded(life.origin.orElseThrow().life(), snapshot.answer());
    }

    void callStarted(ModelCall call) {
        calls.started(call);
    }

    /** An early response was dropped: its request did not come, or another one of its id did. */
    void stashDropped(EarlyResponse response) {
        boolean result = response instanceof EarlyResponse.Result;
        response.life().ifPresent(life -> calls.dropped(response.id(), life, result));
    }

    /** The task begins anew: what the journal holds now, it must read before it acts. */
    void taskStarted() {
        calls.taskStarted();
    }

    /** A call died with its process, or was cut off with it. */
    void crashHit(ModelCall call) {
        calls.allowOneMore(call);
    }

    void callCancelled(ModelCall call) {
        calls.allowOneMore(call);
    }

    void journaled(JournalRecord.CallResult result) {
        calls.journaled(result);
    }

    /** A receiver carried it out. */
    void carriedOut(Effect effect) {
        Optional<Life> life = requests.lastLife(effect.id().requestId());
        boolean ofThisLife = life.flatMap(known -> known.snapshot)
                .filter(snapshot -> snapshot.sha256().equals(effect.payload()))
                .isPresent();
        if (ofThisLife) {
            effects.carriedOut(life.get(), effect);
            return;
        }
        boolean mayBeOfAnother = life.filter(known -> !known.isReceivedAt(effect.requestReceivedAt()))
                .isPresent();
        unless(mayBeOfAnother, "G3", effect.id(), "carried out without a decision");
    }

    /** Nothing is left to do: everything has ended, everything is accounted for. */
    void atRest(int sent) {
        requests.atRest(sent);
        calls.check();
    }

    int endings() {
        return requests.endings();
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        return new ArrayList<>(List.of(requests.contents(), calls.contents()));
    }
}
