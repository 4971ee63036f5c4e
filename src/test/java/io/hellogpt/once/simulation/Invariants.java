package io.hellogpt.once.simulation;

import static io.hellogpt.once.simulation.Violation.unless;

import io.hellogpt.once.core.DuplicateRequest;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.SourcePosition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides G1 to G7 from what others can see: the records of committed transactions, the calls that were made, and what the
 * receivers carried out. Knows nothing of the protocol's states.
 */
final class Invariants {
    private static final String OVERDUE = "no result by its deadline";

    private final Duration retention;
    private final Map<RequestId, Life> lives = new LinkedHashMap<>();
    private final Map<Integer, Sent> consumed = new HashMap<>();
    private final Map<Integer, String> dispositions = new HashMap<>();
    private final EffectRules effects = new EffectRules();
    private final CallRules calls = new CallRules();
    private final CallbackRules callbacks = new CallbackRules();
    private Instant streamTime = Instant.EPOCH;
    private int endings;

    Invariants(Duration retention) {
        this.retention = retention;
    }

    /** A transaction became visible. */
    void committed(List<Seen> transaction) {
        if (transaction.isEmpty()) {
            calls.check();
            return;
        }
        for (Seen seen : transaction) {
            switch (seen) {
                case Seen.Request(Sent sent) -> {
                    callbacks.next();
                    consumed.put(sent.offset(), sent);
                    streamTime = sent.appendedAt().isAfter(streamTime) ? sent.appendedAt() : streamTime;
                }
                case Seen.Outcome(var outcome) -> {
                    Optional<Life> life = current(outcome.effectId().requestId());
                    callbacks.read(outcome, life);
                    life.filter(Life::isOpen).ifPresent(known -> known.heard(outcome));
                }
                case Seen.Command(var command) -> {
                    callbacks.next();
                    if (command.verb() == OperatorCommand.Verb.APPROVE) {
                        current(command.requestId()).ifPresent(life -> life.approved = true);
                    }
                }
                case Seen.Produced(Fact fact) -> {
                    callbacks.produced(fact);
                    produced(fact);
                }
            }
        }
        callbacks.next();
        for (Seen seen : transaction) {
            if (seen instanceof Seen.Request(Sent sent)) {
                unless(dispositions.containsKey(sent.offset()), "G5", sent, "consumed and not accounted for");
            }
        }
        lives.forEach((id, life) -> unless(life.origin.isPresent(), "G5", id, "went on without being accepted"));
        calls.check();
    }

    private Optional<Life> current(RequestId id) {
        return Optional.ofNullable(lives.get(id)).filter(life -> !life.forgotten);
    }

    /** The life a record belongs to; a new one when nothing is known, whose acceptance must be in the same transaction. */
    private Life life(RequestId id) {
        return current(id).orElseGet(() -> {
            Life life = new Life();
            Life before = lives.put(id, life);
            if (before != null) {
                life.previousOrigin = before.origin;
            }
            return life;
        });
    }

    private void produced(Fact fact) {
        switch (fact) {
            case Fact.Log(LifecycleEvent event) -> log(event);
            case Fact.RecordSnapshot(Snapshot snapshot) -> snapshot(snapshot);
            case Fact.IssueEffect(Effect effect) ->
                effects.issued(life(effect.id().requestId()), effect);
            case Fact.Commit commit -> {
                Life life = life(commit.result().state().id());
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
            case Fact.Fail fail -> {
                unless(
                        fail.state().failure().reason() != Failure.Reason.MODEL_EXHAUSTED
                                || !fail.state().failure().detail().startsWith(OVERDUE)
                                || !calls.isAnswered(fail.state().id()),
                        "G4",
                        fail,
                        "failed for want of an answer that stood in the journal");
                end(life(fail.state().id()), fail);
            }
            case Fact.AnswerDuplicate(DuplicateRequest duplicate) -> duplicate(duplicate);
            case Fact.Reject reject -> reject(reject.rejection(), sent(reject.source()));
            case Fact.Forget(var state) -> forget(state.id());
            case Fact.Save save -> throw new IllegalStateException("not an output: " + save);
            case Fact.Stash stash -> throw new IllegalStateException("not an output: " + stash);
            case Fact.Unstash unstash -> throw new IllegalStateException("not an output: " + unstash);
            case Fact.StartCall start -> throw new IllegalStateException("not an output: " + start);
            case Fact.CancelCall cancel -> throw new IllegalStateException("not an output: " + cancel);
            case Fact.Ignore ignore -> throw new IllegalStateException("not an output: " + ignore);
        }
    }

    private Sent sent(SourcePosition position) {
        Sent sent = consumed.get((int) position.offset());
        unless(sent != null, "G5", position, "accounted for but never consumed");
        return sent;
    }

    private void dispose(Sent sent, String disposition) {
        String before = dispositions.put(sent.offset(), disposition);
        unless(before == null, "G5", sent, "is " + before + " and " + disposition);
    }

    private void log(LifecycleEvent event) {
        if (event.from().isEmpty()) {
            accepted(event);
        }
        explainCall(event);
        if (event.type() == LifecycleEvent.Type.COMMAND_APPLIED) {
            Life life = life(event.id());
            boolean failed = event.detail().startsWith("RESOLVE_FAILED");
            event.effectId().ifPresent(id -> life.settledByPerson(id, !failed));
            if (event.detail().startsWith("RETRY")) {
                life.allowRetries();
            }
        }
    }

    /** Calls are made outside the transaction: what explains them counts although it was aborted. */
    void aborted(List<Seen> transaction) {
        for (Seen seen : transaction) {
            if (seen instanceof Seen.Produced(Fact.Log(LifecycleEvent event))) {
                explainCall(event);
            }
        }
    }

    private void explainCall(LifecycleEvent event) {
        if (event.type() != LifecycleEvent.Type.CALL_LOST) {
            return;
        }
        if (event.detail().startsWith(OVERDUE)) {
            calls.overdue(event.id(), event.attempt());
        } else if (event.detail().endsWith("is gone")) {
            calls.believedDead(event.id(), event.attempt(), event.at());
        }
    }

    private void accepted(LifecycleEvent event) {
        Sent sent = sent(event.source());
        unless(sent.id().equals(event.id()), "G5", sent, "accepted under another id");
        Life life = life(event.id());
        unless(life.origin.isEmpty(), "G1", event.id(), "accepted again within the dedup window");
        unless(
                life.previousOrigin
                        .flatMap(previous -> previous.request().createdAt())
                        .isEmpty(),
                "G1",
                event.id(),
                "accepted again although it says how old it is");
        dispose(sent, "accepted");
        life.origin = Optional.of(sent);
    }

    private boolean mayBeForgotten(Life life) {
        return !life.isOpen() && !life.endedAtStreamTime.plus(retention).isAfter(streamTime);
    }

    private void snapshot(Snapshot snapshot) {
        Life life = life(snapshot.id());
        unless(life.snapshot.isEmpty(), "G2", snapshot.id(), "has a second snapshot");
        unless(life.isOpen(), "G2", snapshot.id(), "has a snapshot after its ending");
        life.snapshot = Optional.of(snapshot);
        calls.firstAnswer(snapshot.id())
                .ifPresent(first -> unless(
                        first.answer().equals(snapshot.answer()),
                        "G2",
                        snapshot.id(),
                        "its snapshot is not the first answer in the journal"));
    }

    private void end(Life life, Fact terminal) {
        unless(life.isOpen(), "G1", terminal, "a second ending");
        effects.ended(life, terminal);
        life.terminal = Optional.of(terminal);
        life.endedAtStreamTime = streamTime;
        endings++;
    }

    private void duplicate(DuplicateRequest duplicate) {
        Sent sent = sent(duplicate.source());
        dispose(sent, "duplicate");
        Life life = current(sent.id()).orElseThrow(() -> new Violation("G5", sent + ": a duplicate of nothing"));
        Sent original = life.origin.orElseThrow();
        unless(original.offset() != sent.offset(), "G5", sent, "a duplicate of itself");
        unless(original.fingerprint().equals(sent.fingerprint()), "G6", sent, "a conflict answered as a duplicate");
        boolean committed = life.terminal.filter(Fact.Commit.class::isInstance).isPresent();
        unless(
                duplicate
                        .result()
                        .map(result -> result.snapshot())
                        .equals(committed ? life.snapshot : Optional.empty()),
                "G1",
                sent,
                "a duplicate was answered with another result than the original's");
    }

    private void reject(Rejection rejection, Sent sent) {
        dispose(sent, "rejected: " + rejection.reason());
        switch (rejection.reason()) {
            case CONFLICT -> {
                Life life =
                        current(sent.id()).orElseThrow(() -> new Violation("G6", sent + ": conflicts with nothing"));
                Sent original = life.origin.orElseThrow();
                unless(!original.fingerprint().equals(sent.fingerprint()), "G6", sent, "the same, and refused");
                unless(
                        rejection.fingerprint().equals(Optional.of(sent.fingerprint()))
                                && rejection.knownFingerprint().equals(Optional.of(original.fingerprint())),
                        "G6",
                        sent,
                        "refused without both fingerprints");
            }
            case EXPIRED -> {
                Instant oldest = sent.request().createdAt().orElse(sent.appendedAt());
                unless(!oldest.isAfter(streamTime.minus(retention)), "G5", sent, "refused as too old, which it is not");
            }
            case MALFORMED, INVALID, TOO_LARGE, PROCESSING_ERROR ->
                throw new Violation("G5", sent + ": refused as " + rejection.reason());
        }
    }

    private void forget(RequestId id) {
        Life life = current(id).orElseThrow(() -> new Violation("EXPIRY", id + ": forgotten twice"));
        unless(!life.isOpen(), "EXPIRY", id, "forgotten before it ended");
        unless(mayBeForgotten(life), "EXPIRY", id, "forgotten within the dedup window");
        life.forgotten = true;
    }

    /** The dedup window of a request has closed. */
    void callsForgotten(RequestId id) {
        calls.forgotten(id);
    }

    void callStarted(RequestId id, Instant deadline) {
        calls.started(id, deadline);
    }

    /** An early response was dropped because its request did not come. */
    void stashExpired(RequestId id) {
        calls.stashExpired(id);
    }

    /** The task begins anew: what the journal holds now, it must read before it acts. */
    void taskStarted() {
        calls.taskStarted();
    }

    /** A call died with its process, or was cut off with it. */
    void crashHit(RequestId id) {
        calls.allowOneMore(id);
    }

    void callCancelled(RequestId id) {
        calls.allowOneMore(id);
    }

    void journaled(JournalRecord.CallResult result) {
        calls.journaled(result);
    }

    void carriedOut(Effect effect) {
        Life life = lives.get(effect.id().requestId());
        unless(life != null && life.snapshot.isPresent(), "G3", effect.id(), "carried out without a decision");
        if (life.snapshot.get().sha256().equals(effect.payload())) {
            effects.carriedOut(life, effect);
        }
    }

    /** Nothing is left to do: everything has ended, everything is accounted for. */
    void atRest(int sent) {
        lives.forEach((id, life) -> unless(!life.isOpen(), "G1", id, "has no ending"));
        unless(dispositions.size() == sent, "G5", sent + " requests", dispositions.size() + " accounted for");
        calls.check();
    }

    int endings() {
        return endings;
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        List<Object> all = new ArrayList<>(List.of(dispositions, calls.contents()));
        lives.forEach((id, life) -> all.add(List.of(id, life.contents())));
        return all;
    }
}
