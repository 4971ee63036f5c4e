package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.CommittedResult;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.DuplicateRequest;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.LifecycleEvent.Type;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState.Status;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A history made by hand, right or wrong, as the {@link Invariants} see one. */
final class History {
    static final Duration RETENTION = Duration.ofHours(2);
    static final Instant START = Instant.ofEpochSecond(1_800_000_000);
    static final RequestId ID = new RequestId("r0");

    final Invariants invariants = new Invariants(RETENTION);
    private final List<Seen> transaction = new ArrayList<>();
    private final Sent first;
    private int offsets;

    History(Kind kind) {
        this(kind, Optional.empty());
    }

    private History(Kind kind, Optional<Instant> createdAt) {
        first = sent(kind + "/0", START, createdAt);
    }

    /** Its request says when it was made. */
    static History dated(Kind kind) {
        return new History(kind, Optional.of(START));
    }

    /** A request that is accepted, called for and answered. */
    static History answered(Kind kind) {
        return new History(kind).accept().call().answer("answer").snapshot("answer");
    }

    Sent first() {
        return first;
    }

    Sent sent(String content, Instant at) {
        return sent(content, at, Optional.empty());
    }

    Sent sent(String content, Instant at, Optional<Instant> createdAt) {
        ModelRequest request = new ModelRequest(
                ID,
                content.substring(0, content.indexOf('/')),
                content,
                "{}",
                "p",
                List.of(),
                createdAt,
                Optional.empty(),
                Map.of());
        return new Sent(offsets++, request, new Fingerprint(content), at, false);
    }

    History see(Seen seen) {
        transaction.add(seen);
        return this;
    }

    History produce(Fact fact) {
        return see(new Seen.Produced(fact));
    }

    History commit() {
        invariants.committed(List.copyOf(transaction));
        transaction.clear();
        return this;
    }

    History abort() {
        invariants.aborted(List.copyOf(transaction));
        transaction.clear();
        return this;
    }

    History accept() {
        return accept(first);
    }

    History accept(Sent sent) {
        return see(new Seen.Request(sent)).produce(log(sent, Type.ACCEPTED, 0, "waits for a slot", Optional.empty()));
    }

    private static Fact log(Sent sent, Type type, int attempt, String detail, Optional<EffectId> effect) {
        return new Fact.Log(new LifecycleEvent(
                ID,
                type,
                type == Type.ACCEPTED ? Optional.empty() : Optional.of(Status.GENERATING),
                Status.GENERATING,
                sent.position(),
                attempt,
                effect,
                detail,
                Optional.of("ann"),
                START));
    }

    History log(Type type, int attempt, String detail) {
        return produce(log(first, type, attempt, detail, Optional.empty()));
    }

    History log(Type type, String detail, int step) {
        return produce(log(first, type, 0, detail, Optional.of(id(step))));
    }

    private static io.hellogpt.once.core.Life life(Sent sent) {
        return new io.hellogpt.once.core.Life(sent.appendedAt(), Optional.of(sent.fingerprint()));
    }

    History call() {
        invariants.callStarted(new ModelCall(first.request(), 0, 1, life(first), START.plusSeconds(60)));
        return this;
    }

    History answer(String text) {
        return answer(first, text);
    }

    History answer(Sent sent, String text) {
        invariants.journaled(new JournalRecord.Answered(ID, 0, 1, life(sent), answerOf(text)));
        return this;
    }

    private static Answer answerOf(String text) {
        return new Answer(
                new byte[0],
                "text/plain",
                text,
                "p",
                "m",
                "{}",
                Usage.NONE,
                new Cost(1, "EUR", "1"),
                Optional.empty(),
                START,
                START);
    }

    static Snapshot snapshotOf(String text) {
        return new Snapshot(ID, 0, 1, answerOf(text));
    }

    History snapshot(String text) {
        return produce(new Fact.RecordSnapshot(snapshotOf(text)));
    }

    static EffectId id(int step) {
        return new EffectId(ID, 0, step, false);
    }

    static Effect effect(EffectId id, int attempt, boolean probe) {
        boolean billing = id.step() == 0;
        String route = billing ? "ledger" : id.undo() ? "undo-effect-" + id.step() : "route";
        Kind.Expected expected = billing ? null : Kind.PIVOT.effects().get(id.step() - 1);
        return new Effect(
                id,
                billing ? "billing" : "effect-" + id.step(),
                billing ? 0 : expected.stage(),
                route,
                attempt,
                "answer",
                START,
                START,
                probe);
    }

    History issue(int step) {
        return issue(effect(id(step), 1, false));
    }

    History undo(int step) {
        return issue(effect(id(step).compensation(), 1, false));
    }

    History issue(Effect effect) {
        return produce(new Fact.IssueEffect(effect));
    }

    /** The receiver does it, and the connector tells. */
    History done(int step) {
        return done(effect(id(step), 1, false));
    }

    History done(Effect effect) {
        commit();
        invariants.carriedOut(effect);
        return outcome(effect.id(), effect.attempt(), Result.SUCCEEDED);
    }

    History outcome(int step, Result result) {
        return outcome(id(step), 1, result);
    }

    History outcome(EffectId id, int attempt, Result result) {
        return see(new Seen.Outcome(new EffectOutcome(
                id,
                attempt,
                result,
                "said",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                START,
                START,
                false)));
    }

    History callback(int step, String callbackId) {
        return see(new Seen.Outcome(EffectOutcome.callback(
                id(step), Result.SUCCEEDED, "said", Optional.empty(), callbackId, START, START)));
    }

    History command(String commandId, OperatorCommand.Verb verb) {
        return see(
                new Seen.Command(new OperatorCommand(commandId, ID, verb, Optional.empty(), "ann", "because", START)));
    }

    private static Identity identity(Sent sent) {
        return new Identity(ID, sent.fingerprint(), sent.position(), sent.appendedAt(), Optional.empty(), List.of());
    }

    Committed committedState(String text) {
        return new Committed(identity(first), text, "decided", EffectPlan.NONE, START, START.plus(RETENTION));
    }

    History committed(String text) {
        return produce(new Fact.Commit(new CommittedResult(committedState(text), snapshotOf(text))));
    }

    History failed() {
        return failed(Failure.Reason.CANCELLED, "by hand");
    }

    History failed(Failure.Reason reason, String detail) {
        return produce(new Fact.Fail(new Failed(
                identity(first),
                new Failure(reason, detail),
                Optional.empty(),
                EffectPlan.NONE,
                START,
                START.plus(RETENTION))));
    }

    History duplicate(Sent sent, boolean withResult) {
        Committed known = committedState("answer");
        return produce(new Fact.AnswerDuplicate(new DuplicateRequest(
                sent.position(),
                START,
                known,
                withResult ? Optional.of(new CommittedResult(known, snapshotOf("answer"))) : Optional.empty())));
    }

    History rejected(Sent sent, Rejection.Reason reason, Optional<Fingerprint> known) {
        return produce(new Fact.Reject(
                new Rejection(reason, "by hand", Optional.of(ID), Optional.of(sent.fingerprint()), known),
                sent.position()));
    }

    History forgotten() {
        return produce(new Fact.Forget(committedState("answer")));
    }
}
