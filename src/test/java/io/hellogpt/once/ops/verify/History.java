package io.hellogpt.once.ops.verify;

import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.verify.Evidence.Answered;
import io.hellogpt.once.ops.verify.Evidence.Bill;
import io.hellogpt.once.ops.verify.Evidence.Call;
import io.hellogpt.once.ops.verify.Evidence.Disturbance;
import io.hellogpt.once.ops.verify.Evidence.Duplicate;
import io.hellogpt.once.ops.verify.Evidence.EffectEnd;
import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.Execution;
import io.hellogpt.once.ops.verify.Evidence.Intake;
import io.hellogpt.once.ops.verify.Evidence.Issued;
import io.hellogpt.once.ops.verify.Evidence.Ledger;
import io.hellogpt.once.ops.verify.Evidence.LedgerEffect;
import io.hellogpt.once.ops.verify.Evidence.Logs;
import io.hellogpt.once.ops.verify.Evidence.Order;
import io.hellogpt.once.ops.verify.Evidence.Outcome;
import io.hellogpt.once.ops.verify.Evidence.Received;
import io.hellogpt.once.ops.verify.Evidence.Recorded;
import io.hellogpt.once.ops.verify.Evidence.Rejected;
import io.hellogpt.once.ops.verify.Evidence.Terms;
import io.hellogpt.once.ops.verify.Evidence.Transition;
import io.hellogpt.once.ops.verify.Evidence.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A history that can be doctored: the lists are open. */
final class History {
    static final Instant START = Instant.parse("2026-11-29T12:00:00Z");

    static final String RECEIVERS = "receivers.jsonl";

    final List<Received> received = new ArrayList<>();
    final List<Transition> transitions = new ArrayList<>();
    final List<Duplicate> duplicates = new ArrayList<>();
    final List<Rejected> rejected = new ArrayList<>();
    final List<Recorded> snapshots = new ArrayList<>();
    final List<Ending> endings = new ArrayList<>();
    final List<Issued> effects = new ArrayList<>();
    final List<Outcome> outcomes = new ArrayList<>();
    final List<Answered> journal = new ArrayList<>();
    final List<Bill> bills = new ArrayList<>();
    final List<LedgerEffect> ledgerEffects = new ArrayList<>();
    final List<Execution> executions = new ArrayList<>();
    final List<Call> calls = new ArrayList<>();
    final List<Disturbance> disturbances = new ArrayList<>();
    int crashes;
    boolean running;
    List<String> missing = List.of();

    /** Two requests that took effect, one that failed, one that went back, a duplicate, a conflict and a malformed record. */
    static History clean() {
        History history = new History();
        history.commits("contract-1", 0);
        history.commits("contract-2", 1);
        history.fails("contract-3", 2);
        history.duplicates("contract-1", 3, 0);
        history.conflicts("contract-2", 4);
        history.malformed(5);
        history.goesBack("contract-6", 6);
        return history;
    }

    static SourcePosition at(long offset) {
        return new SourcePosition("requests", 0, offset);
    }

    static Order order(String route) {
        return new Order(route, route.startsWith("un"), "digest of what " + route + " is told");
    }

    static EffectEnd end(String effect, String route, String status) {
        return new EffectEnd(effect, route, status, Optional.empty());
    }

    void accepts(String id, long offset) {
        received.add(new Received(at(offset), Optional.of(id), Optional.of("content of " + id), Set.of()));
        transitions.add(new Transition(id, "ACCEPTED", "PENDING", at(offset), Optional.empty(), START));
    }

    private void commits(String id, long offset) {
        accepts(id, offset);
        String sha = "digest of " + id;
        calls.add(new Call(id, 429, Optional.empty()));
        transitions.add(new Transition(id, "CALL_FAILED", "PENDING", at(offset), Optional.empty(), START));
        calls.add(new Call(id, 200, Optional.of(sha)));
        journal.add(new Answered(id, 2));
        snapshots.add(new Recorded(id, 0, sha, sha, 1_000));
        carriesOut(id, "billing", 0);
        bills.add(new Bill(id, sha, 1_000));
        carriesOut(id, "signing", 1);
        executions.add(new Execution(id + ":0.1", Optional.of(id), true, 201, RECEIVERS));
        executions.add(new Execution(id + ":0.1", Optional.of(id), false, 201, RECEIVERS));
        endings.add(new Ending(
                id,
                true,
                at(offset),
                Optional.of(sha),
                List.of(end(id + ":0.0", "billing", "SUCCEEDED"), end(id + ":0.1", "signing", "SUCCEEDED")),
                START.plusSeconds(9)));
        transitions.add(
                new Transition(id, "COMMITTED", "COMMITTED", at(offset), Optional.empty(), START.plusSeconds(9)));
    }

    /** Its first effect was carried out and undone, its second one failed. */
    private void goesBack(String id, long offset) {
        received.add(new Received(at(offset), Optional.of(id), Optional.of("content of " + id), Set.of(id + ":0.1")));
        transitions.add(new Transition(id, "ACCEPTED", "PENDING", at(offset), Optional.empty(), START));
        String sha = "digest of " + id;
        calls.add(new Call(id, 200, Optional.of(sha)));
        journal.add(new Answered(id, 1));
        snapshots.add(new Recorded(id, 0, sha, sha, 1_000));
        carriesOut(id, "billing", 0);
        bills.add(new Bill(id, sha, 1_000));
        carriesOut(id, "signing", 1);
        executions.add(new Execution(id + ":0.1", Optional.of(id), true, 201, RECEIVERS));
        effects.add(new Issued(id + ":0.2", id, order("mail"), 1));
        outcomes.add(new Outcome(id + ":0.2", id, 1, "FAILED"));
        executions.add(new Execution(id + ":0.2", Optional.of(id), false, 422, RECEIVERS));
        String undo = id + ":0.1:undo";
        effects.add(new Issued(undo, id, order("unsigning"), 1));
        outcomes.add(new Outcome(undo, id, 1, "SUCCEEDED"));
        ledgerEffects.add(new LedgerEffect(undo, "unsigning", "SETTLED", Optional.of("SUCCEEDED")));
        executions.add(new Execution(undo, Optional.of(id), true, 201, RECEIVERS));
        wentBack(id, offset, Optional.of("SUCCEEDED"));
    }

    private void wentBack(String id, long offset, Optional<String> compensation) {
        endings.add(new Ending(
                id,
                false,
                at(offset),
                Optional.of("digest of " + id),
                List.of(
                        end(id + ":0.0", "billing", "SUCCEEDED"),
                        new EffectEnd(id + ":0.1", "signing", "SUCCEEDED", compensation),
                        end(id + ":0.2", "mail", "FAILED")),
                START.plusSeconds(9)));
    }

    /** The ending of the request that went back says something else about undoing. */
    void undid(Optional<String> compensation) {
        endings.removeLast();
        wentBack("contract-6", 6, compensation);
    }

    /** The second effect of the first request ended otherwise. */
    void secondEffectIs(String status) {
        Ending ending = endings.getFirst();
        endings.set(
                0,
                new Ending(
                        ending.requestId(),
                        true,
                        ending.source(),
                        ending.snapshotSha256(),
                        List.of(ending.effects().getFirst(), end("contract-1:0.1", "signing", status)),
                        ending.at()));
    }

    /** An effect's receiver took the order, and said by itself that it was carried out. */
    void calledBack(String effect) {
        ledgerEffects.replaceAll(row -> row.effectId().equals(effect)
                ? new LedgerEffect(effect, row.route(), row.status(), Optional.of("AWAITING_CALLBACK"))
                : row);
        outcomes.replaceAll(
                outcome -> outcome.effectId().equals(effect) && outcome.result().equals("SUCCEEDED")
                        ? new Outcome(effect, outcome.requestId(), 0, "SUCCEEDED", true)
                        : outcome);
    }

    void personDecides(String id, long offset, String effect) {
        transitions.add(new Transition(id, "COMMAND_APPLIED", "HELD", at(offset), Optional.of(effect), START));
    }

    private void carriesOut(String id, String route, int step) {
        String effect = id + ":0." + step;
        effects.add(new Issued(effect, id, order(route), 1));
        outcomes.add(new Outcome(effect, id, 1, "RETRYABLE"));
        effects.add(new Issued(effect, id, order(route), 2));
        outcomes.add(new Outcome(effect, id, 2, "SUCCEEDED"));
        ledgerEffects.add(new LedgerEffect(effect, route, "SETTLED", Optional.of("SUCCEEDED")));
    }

    private void fails(String id, long offset) {
        accepts(id, offset);
        calls.add(new Call(id, 400, Optional.empty()));
        endings.add(new Ending(id, false, at(offset), Optional.empty(), List.of(), START.plusSeconds(9)));
        transitions.add(new Transition(id, "FAILED", "FAILED", at(offset), Optional.empty(), START.plusSeconds(9)));
    }

    private void duplicates(String id, long offset, long original) {
        received.add(new Received(at(offset), Optional.of(id), Optional.of("content of " + id), Set.of()));
        duplicates.add(new Duplicate(id, at(offset), at(original)));
    }

    private void conflicts(String id, long offset) {
        received.add(new Received(at(offset), Optional.of(id), Optional.of("other content"), Set.of()));
        rejected.add(new Rejected(
                Optional.of(id),
                at(offset),
                "CONFLICT",
                Optional.of("other content"),
                Optional.of("content of " + id)));
    }

    private void malformed(long offset) {
        received.add(new Received(at(offset), Optional.empty(), Optional.empty(), Set.of()));
        rejected.add(new Rejected(Optional.empty(), at(offset), "MALFORMED", Optional.empty(), Optional.empty()));
    }

    Evidence evidence() {
        return evidence(
                Optional.of(new Ledger(bills, ledgerEffects)), new Logs(Optional.of(executions), Optional.of(calls)));
    }

    Evidence evidence(Optional<Ledger> ledger, Logs logs) {
        return new Evidence(
                new Intake(received, transitions, duplicates, rejected),
                new Work(snapshots, endings, effects, outcomes, journal),
                ledger,
                logs,
                new Terms(crashes, 4, Duration.ofDays(7), running, missing, disturbances));
    }
}
