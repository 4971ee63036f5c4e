package io.hellogpt.once.ops.verify;

import static io.hellogpt.once.ops.verify.History.START;
import static io.hellogpt.once.ops.verify.History.at;
import static io.hellogpt.once.ops.verify.History.order;
import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.verify.Evidence.Answered;
import io.hellogpt.once.ops.verify.Evidence.Bill;
import io.hellogpt.once.ops.verify.Evidence.Call;
import io.hellogpt.once.ops.verify.Evidence.Disturbance;
import io.hellogpt.once.ops.verify.Evidence.Duplicate;
import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.Execution;
import io.hellogpt.once.ops.verify.Evidence.Issued;
import io.hellogpt.once.ops.verify.Evidence.Ledger;
import io.hellogpt.once.ops.verify.Evidence.LedgerEffect;
import io.hellogpt.once.ops.verify.Evidence.Logs;
import io.hellogpt.once.ops.verify.Evidence.Order;
import io.hellogpt.once.ops.verify.Evidence.Outcome;
import io.hellogpt.once.ops.verify.Evidence.Received;
import io.hellogpt.once.ops.verify.Evidence.Recorded;
import io.hellogpt.once.ops.verify.Evidence.Rejected;
import io.hellogpt.once.ops.verify.Evidence.Transition;
import io.hellogpt.once.ops.verify.Verdict.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VerifierTest {
    @Test
    void aCleanHistoryHoldsEveryGuarantee() {
        Report report = Verifier.verify(History.clean().evidence());

        assertThat(report.result()).as(report.table()).isEqualTo(Result.HELD);
        assertThat(report.verdicts()).hasSize(7).allMatch(verdict -> verdict.result() == Result.HELD);
        assertThat(report.summary()).isEqualTo("exactly once: held");
        assertThat(report.verdicts().get(4).figures())
                .isEqualTo(Map.of("read", 7L, "accepted", 4L, "duplicate", 1L, "conflicting", 1L, "rejected", 1L));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("doctored")
    void aDoctoredHistoryFailsExactlyItsGuarantee(Guarantee guarantee, String what, Consumer<History> doctor) {
        History history = History.clean();
        doctor.accept(history);

        Report report = Verifier.verify(history.evidence());

        assertThat(report.verdicts().stream()
                        .filter(verdict -> verdict.result() != Result.HELD)
                        .map(Verdict::guarantee))
                .as(report.table())
                .containsExactly(guarantee);
        assertThat(report.result()).isEqualTo(Result.VIOLATED);
    }

    static Stream<Arguments> doctored() {
        return Stream.of(
                lie(Guarantee.G1, "an ending is lost", history -> history.endings.remove(2)),
                lie(Guarantee.G1, "an ending is there twice", history -> history.endings.add(history.endings.get(0))),
                lie(
                        Guarantee.G1,
                        "committed and failed",
                        history -> history.endings.add(
                                new Ending("contract-1", false, at(0), Optional.empty(), List.of(), START))),
                lie(
                        Guarantee.G1,
                        "an ending for a record nobody accepted",
                        history -> history.endings.add(
                                new Ending("contract-9", false, at(9), Optional.empty(), List.of(), START))),
                lie(Guarantee.G1, "a duplicate took effect as well", VerifierTest::acceptDuplicate),
                lie(
                        Guarantee.G2,
                        "a second snapshot",
                        history -> history.snapshots.add(
                                new Recorded("contract-1", 0, "digest of contract-1", "digest of contract-1", 1_000))),
                lie(
                        Guarantee.G2,
                        "a snapshot was altered",
                        history -> history.snapshots.set(
                                0, new Recorded("contract-1", 0, "digest of contract-1", "another", 1_000))),
                lie(
                        Guarantee.G2,
                        "the result derives from another answer",
                        history -> history.endings.set(
                                0, new Ending("contract-1", true, at(0), Optional.of("another"), List.of(), START))),
                lie(
                        Guarantee.G3,
                        "a receiver executed twice",
                        history -> history.executions.add(new Execution(
                                "contract-1:0.1", Optional.of("contract-1"), true, 201, History.RECEIVERS))),
                lie(
                        Guarantee.G3,
                        "a receiver executed what was never issued",
                        history -> history.executions.add(new Execution(
                                "contract-3:0.1", Optional.of("contract-3"), true, 201, History.RECEIVERS))),
                lie(
                        Guarantee.G3,
                        "a success the receiver knows nothing of",
                        history -> history.executions.removeIf(
                                execution -> execution.idempotencyKey().equals("contract-1:0.1"))),
                lie(
                        Guarantee.G3,
                        "one attempt with two outcomes",
                        history -> history.outcomes.add(new Outcome("contract-1:0.1", "contract-1", 2, "FAILED"))),
                lie(
                        Guarantee.G3,
                        "a success the ledger knows nothing of",
                        history -> history.ledgerEffects.set(
                                1, new LedgerEffect("contract-1:0.1", "signing", "STARTED", Optional.empty()))),
                lie(Guarantee.G3, "a success told by a callback about what the ledger never sent", history -> {
                    history.calledBack("contract-1:0.1");
                    history.ledgerEffects.removeIf(row -> row.effectId().equals("contract-1:0.1"));
                }),
                lie(
                        Guarantee.G3,
                        "executed by its receiver, reported FAILED, its request failed, nothing undone",
                        history -> {
                            history.effects.add(new Issued("contract-3:0.1", "contract-3", order("signing"), 1));
                            history.outcomes.add(new Outcome("contract-3:0.1", "contract-3", 1, "FAILED"));
                            history.executions.add(new Execution(
                                    "contract-3:0.1", Optional.of("contract-3"), true, 201, History.RECEIVERS));
                        }),
                lie(Guarantee.G3, "a success heard of, but its request failed without saying so", history -> {
                    history.outcomes.add(new Outcome("contract-6:0.2", "contract-6", 2, "SUCCEEDED"));
                    history.ledgerEffects.add(
                            new LedgerEffect("contract-6:0.2", "mail", "SETTLED", Optional.of("SUCCEEDED")));
                    history.executions.add(
                            new Execution("contract-6:0.2", Optional.of("contract-6"), true, 201, History.RECEIVERS));
                }),
                lie(Guarantee.G3, "committed although an effect failed", history -> history.secondEffectIs("FAILED")),
                lie(
                        Guarantee.G3,
                        "committed although an effect is not known",
                        history -> history.secondEffectIs("UNKNOWN")),
                lie(
                        Guarantee.G3,
                        "committed with an effect skipped by nobody",
                        history -> history.secondEffectIs("SKIPPED")),
                lie(
                        Guarantee.G3,
                        "an attempt with another payload",
                        history -> history.effects.add(new Issued(
                                "contract-1:0.1", "contract-1", new Order("signing", false, "another digest"), 3))),
                lie(
                        Guarantee.G3,
                        "an attempt to another route",
                        history -> history.effects.add(
                                0,
                                new Issued(
                                        "contract-1:0.1",
                                        "contract-1",
                                        new Order(
                                                "mail", false, order("signing").payloadSha256()),
                                        1))),
                lie(
                        Guarantee.G3,
                        "an attempt that undoes instead",
                        history -> history.effects.add(new Issued(
                                "contract-1:0.1",
                                "contract-1",
                                new Order("signing", true, order("signing").payloadSha256()),
                                3))),
                lie(
                        Guarantee.G3,
                        "failed without undoing what can be undone",
                        history -> history.undid(Optional.empty())),
                lie(Guarantee.G3, "failed although undoing failed", history -> history.undid(Optional.of("FAILED"))),
                lie(
                        Guarantee.G3,
                        "failed with undoing skipped by nobody",
                        history -> history.undid(Optional.of("SKIPPED"))),
                lie(
                        Guarantee.G3,
                        "undone according to the ending alone",
                        history -> history.outcomes.removeIf(
                                outcome -> outcome.effectId().equals("contract-6:0.1:undo"))),
                lie(Guarantee.G3, "executed after it was undone", history -> {
                    history.executions.removeIf(
                            execution -> execution.idempotencyKey().equals("contract-6:0.1"));
                    history.executions.add(
                            new Execution("contract-6:0.1", Optional.of("contract-6"), true, 201, History.RECEIVERS));
                }),
                lie(Guarantee.G4, "an answered call repeated and excused by the system's own CALL_FAILED", history -> {
                    history.transitions.add(
                            new Transition("contract-1", "CALL_FAILED", "PENDING", at(0), Optional.empty(), START));
                    history.calls.add(new Call("contract-1", 200, Optional.of("other answer")));
                }),
                lie(
                        Guarantee.G4,
                        "a call repeated without a crash",
                        history -> history.calls.add(new Call("contract-1", 200, Optional.of("other answer")))),
                lie(
                        Guarantee.G4,
                        "a snapshot the model never gave",
                        history -> history.calls.set(1, new Call("contract-1", 200, Optional.of("other answer")))),
                lie(
                        Guarantee.G5,
                        "a duplicate of a record that was not accepted",
                        history -> history.duplicates.set(0, new Duplicate("contract-1", at(3), at(2)))),
                lie(
                        Guarantee.G5,
                        "a rejected record that was never sent",
                        history -> history.rejected.add(malformed(at(77)))),
                lie(
                        Guarantee.G5,
                        "a record vanished",
                        history -> history.received.add(
                                new Received(at(7), Optional.of("contract-4"), Optional.of("content"), Set.of()))),
                lie(Guarantee.G5, "a record counted twice", history -> history.rejected.add(history.rejected.get(1))),
                lie(
                        Guarantee.G5,
                        "a record that was never sent",
                        history -> history.duplicates.add(new Duplicate("contract-1", at(77), at(0)))),
                lie(Guarantee.G6, "other content called a duplicate", VerifierTest::swallowConflict),
                lie(
                        Guarantee.G6,
                        "a conflict with one fingerprint",
                        history -> history.rejected.set(
                                0,
                                new Rejected(
                                        Optional.of("contract-2"),
                                        at(4),
                                        "CONFLICT",
                                        Optional.of("other content"),
                                        Optional.empty()))),
                lie(
                        Guarantee.G6,
                        "the same content refused",
                        history -> history.rejected.set(
                                0,
                                new Rejected(
                                        Optional.of("contract-2"),
                                        at(4),
                                        "CONFLICT",
                                        Optional.of("content of contract-2"),
                                        Optional.of("content of contract-2")))),
                lie(Guarantee.G7, "billed twice", history -> history.bills.add(history.bills.get(0))),
                lie(Guarantee.G7, "not billed", history -> history.bills.remove(1)),
                lie(
                        Guarantee.G7,
                        "billed with another cost",
                        history -> history.bills.set(0, new Bill("contract-1", "digest of contract-1", 999))),
                lie(
                        Guarantee.G7,
                        "billed without an answer",
                        history -> history.bills.add(new Bill("contract-3", "digest", 1))));
    }

    private static Arguments lie(Guarantee guarantee, String what, Consumer<History> doctor) {
        return Arguments.of(guarantee, what, doctor);
    }

    private static void acceptDuplicate(History history) {
        history.duplicates.clear();
        history.transitions.add(
                new Transition("contract-1", "ACCEPTED", "PENDING", at(3), Optional.empty(), START.plusSeconds(20)));
        history.endings.add(new Ending(
                "contract-1", true, at(3), Optional.of("digest of contract-1"), List.of(), START.plusSeconds(30)));
    }

    private static void swallowConflict(History history) {
        history.rejected.remove(0);
        history.duplicates.add(new Duplicate("contract-2", at(4), at(1)));
    }

    @Test
    void aCrashMayRepeatACallPerRequestButNoMore() {
        History history = History.clean();
        history.crashes = 1;
        history.calls.add(new Call("contract-1", 200, Optional.of("other answer")));
        assertThat(resultOf(Guarantee.G4, history.evidence())).isEqualTo(Result.HELD);

        history.calls.add(new Call("contract-1", 200, Optional.of("third answer")));
        assertThat(resultOf(Guarantee.G4, history.evidence())).isEqualTo(Result.VIOLATED);
    }

    @Test
    void aRepeatedCallNeedsADisturbanceBetweenItAndTheOneBefore() {
        History history = History.clean();
        history.calls.removeIf(call -> call.requestId().equals("contract-1"));
        history.calls.add(call(10, "digest of contract-1"));
        history.calls.add(call(20, "other answer"));

        history.disturbances.add(new Disturbance("kill", START.plusSeconds(12), START.plusSeconds(14)));
        assertThat(resultOf(Guarantee.G4, history.evidence())).isEqualTo(Result.HELD);
        assertThat(Verifier.verify(history.evidence())
                        .verdicts()
                        .get(Guarantee.G4.ordinal())
                        .figures())
                .containsEntry("repeated", 1L)
                .containsEntry("repeated around kill", 1L);

        history.disturbances.set(0, new Disturbance("kill", START.plusSeconds(2), START.plusSeconds(9)));
        assertThat(resultOf(Guarantee.G4, history.evidence())).isEqualTo(Result.VIOLATED);
        history.disturbances.set(0, new Disturbance("kill", START.plusSeconds(21), START.plusSeconds(30)));
        assertThat(resultOf(Guarantee.G4, history.evidence())).isEqualTo(Result.VIOLATED);
    }

    @Test
    void aDisturbanceExcusesNoSnapshotTheModelDidNotGiveAndNoCallWithoutATime() {
        History history = History.clean();
        history.disturbances.add(new Disturbance("kill", START, START.plusSeconds(60)));
        assertThat(resultOf(Guarantee.G4, history.evidence())).isEqualTo(Result.HELD);

        history.calls.add(new Call("contract-1", 200, Optional.of("other answer")));
        assertThat(resultOf(Guarantee.G4, history.evidence())).isEqualTo(Result.VIOLATED);

        history = History.clean();
        history.disturbances.add(new Disturbance("kill", START, START.plusSeconds(60)));
        history.calls.removeIf(call -> call.requestId().equals("contract-1"));
        assertThat(resultOf(Guarantee.G4, history.evidence())).isEqualTo(Result.VIOLATED);
    }

    private static Call call(int second, String digest) {
        return new Call("contract-1", 200, Optional.of(digest), Optional.of(START.plusSeconds(second)));
    }

    @Test
    void withoutTheModelsLogTheJournalTellsOfRepeatedCalls() {
        History history = History.clean();
        Optional<Ledger> ledger = Optional.of(new Ledger(history.bills, history.ledgerEffects));
        assertThat(resultOf(Guarantee.G4, history.evidence(ledger, Logs.NONE))).isEqualTo(Result.HELD);

        history.journal.add(new Answered("contract-1", 3));
        assertThat(resultOf(Guarantee.G4, history.evidence(ledger, Logs.NONE))).isEqualTo(Result.VIOLATED);
    }

    @Test
    void aCallThatWasNotAnsweredInFullMayBeMadeAgain() {
        History history = History.clean();
        history.calls.add(new Call("contract-1", 503, Optional.empty()));
        history.calls.add(new Call("contract-1", 200, Optional.empty()));

        assertThat(resultOf(Guarantee.G4, history.evidence())).isEqualTo(Result.HELD);
    }

    @Test
    void aModelsLogWithoutDigestsCountsEveryCallThatSucceeded() {
        History history = History.clean();
        history.snapshots.clear();
        history.calls.clear();
        history.calls.add(new Call("contract-1", 200, Optional.empty()));
        assertThat(resultOf(Guarantee.G4, history.evidence())).isEqualTo(Result.HELD);

        history.calls.add(new Call("contract-1", 200, Optional.empty()));
        assertThat(resultOf(Guarantee.G4, history.evidence())).isEqualTo(Result.VIOLATED);
    }

    @Test
    void aPersonMaySkipWhatFailed() {
        History history = History.clean();
        history.secondEffectIs("SKIPPED");
        history.personDecides("contract-1", 0, "contract-1:0.1");
        history.undid(Optional.of("SKIPPED"));
        history.personDecides("contract-6", 6, "contract-6:0.1:undo");

        assertThat(resultOf(Guarantee.G3, history.evidence())).isEqualTo(Result.HELD);
    }

    @Test
    void theLedgerDoesNotHearOfCallbacks() {
        History history = History.clean();
        history.calledBack("contract-1:0.1");

        assertThat(resultOf(Guarantee.G3, history.evidence())).isEqualTo(Result.HELD);
    }

    @Test
    void whatAReceiverDidButCalledAnErrorCannotBeKnown() {
        History history = History.clean();
        history.executions.add(
                new Execution("contract-6:0.2", Optional.of("contract-6"), true, 422, History.RECEIVERS));

        assertThat(resultOf(Guarantee.G3, history.evidence())).isEqualTo(Result.HELD);
    }

    @Test
    void linesOfTwoLogsAreInNoOrder() {
        History history = History.clean();
        history.executions.removeIf(execution -> execution.idempotencyKey().equals("contract-6:0.1"));
        history.executions.add(new Execution("contract-6:0.1", Optional.of("contract-6"), true, 201, "another.jsonl"));

        assertThat(resultOf(Guarantee.G3, history.evidence())).isEqualTo(Result.HELD);
    }

    @Test
    void aRejectedOutcomeWasNeverARequest() {
        History history = History.clean();
        history.rejected.add(malformed(new SourcePosition("effect-outcomes", 0, 77)));

        assertThat(resultOf(Guarantee.G5, history.evidence())).isEqualTo(Result.HELD);
    }

    @Test
    void retentionExcusesOnlyWhatStoodBeforeTheFirstRecord() {
        History history = History.clean();
        history.received.removeFirst();
        history.missing = List.of("requests-0 starts at offset 1");
        assertThat(resultOf(Guarantee.G5, history.evidence())).isEqualTo(Result.UNDECIDED);

        history.rejected.add(malformed(at(77)));
        assertThat(resultOf(Guarantee.G5, history.evidence())).isEqualTo(Result.VIOLATED);
    }

    private static Rejected malformed(SourcePosition at) {
        return new Rejected(Optional.empty(), at, "MALFORMED", Optional.empty(), Optional.empty());
    }

    @Test
    void anIdMayBeAcceptedAgainAfterTheDedupWindow() {
        History history = History.clean();
        acceptDuplicate(history);
        history.transitions.removeLast();
        history.transitions.add(new Transition(
                "contract-1", "ACCEPTED", "PENDING", at(3), Optional.empty(), START.plus(Duration.ofDays(8))));

        assertThat(resultOf(Guarantee.G1, history.evidence())).isEqualTo(Result.HELD);
    }

    @Test
    void withoutALedgerBillingIsNotDecided() {
        Report report = Verifier.verify(History.clean().evidence(Optional.empty(), Logs.NONE));

        assertThat(report.result()).isEqualTo(Result.UNDECIDED);
        assertThat(report.summary()).contains("not decided").contains("G7");
    }

    @Test
    void whileWorkGoesOnUnfinishedRequestsAreNoViolation() {
        History history = History.clean();
        history.running = true;
        history.accepts("contract-4", 7);
        history.received.add(new Received(at(8), Optional.of("contract-5"), Optional.of("content"), Set.of()));

        Report report = Verifier.verify(history.evidence());

        assertThat(report.result()).as(report.table()).isEqualTo(Result.UNDECIDED);
    }

    @Test
    void aRequestThatWaitsForAPersonIsNotLost() {
        History history = History.clean();
        history.accepts("contract-4", 7);
        history.transitions.add(new Transition("contract-4", "HELD", "HELD", at(7), Optional.empty(), START));

        Report report = Verifier.verify(history.evidence());

        assertThat(report.result()).as(report.table()).isEqualTo(Result.HELD);
        assertThat(report.verdicts().get(0).figures()).containsEntry("waiting for a person", 1L);
    }

    @Test
    void theJsonFormNamesEachViolationsRequest() {
        History history = History.clean();
        history.endings.remove(2);

        assertThat(Verifier.verify(history.evidence())
                        .json()
                        .at("/verdicts/0/violations/0/request_id")
                        .asText())
                .isEqualTo("contract-3");
    }

    private static Result resultOf(Guarantee guarantee, Evidence evidence) {
        return Verifier.verify(evidence).verdicts().get(guarantee.ordinal()).result();
    }
}
