package io.hellogpt.once.simulation;

import static io.hellogpt.once.simulation.History.START;
import static io.hellogpt.once.simulation.History.answered;
import static io.hellogpt.once.simulation.History.effect;
import static io.hellogpt.once.simulation.History.id;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.LifecycleEvent.Type;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.Rejection.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule is shown a history that breaks it, and objects; a right history it lets pass. */
class InvariantsTest {

    static Stream<Arguments> broken() {
        return Stream.of(requests(), calls(), effects(), endings(), audit()).flatMap(cases -> cases);
    }

    private static Arguments shown(String guarantee, String objection, Supplier<History> history) {
        return Arguments.of(guarantee, objection, history);
    }

    private static History plain() {
        return answered(Kind.PLAIN).issue(0).done(0).committed("answer");
    }

    private static Stream<Arguments> requests() {
        return Stream.of(
                shown("G1", "a second ending", () -> plain().failed()),
                shown("G1", "accepted again within the dedup window", () -> {
                    History history = new History(Kind.PLAIN).accept();
                    return history.accept(history.sent("PLAIN/0", START));
                }),
                shown("G1", "accepted again although it says how old it is", () -> {
                    History history = History.dated(Kind.PLAIN)
                            .accept()
                            .call()
                            .answer("answer")
                            .snapshot("answer")
                            .issue(0)
                            .done(0)
                            .committed("answer");
                    Sent later = history.sent("PLAIN/0", START.plus(Duration.ofDays(1)));
                    return history.see(new Seen.Rerouted(later)).forgotten().accept(later);
                }),
                shown("G1", "another result than the original's", () -> {
                    History history = plain();
                    Sent again = history.sent("PLAIN/0", START);
                    return history.see(new Seen.Request(again)).duplicate(again, false);
                }),
                shown("G5", "consumed and not accounted for", () -> {
                    History history = new History(Kind.PLAIN);
                    return history.see(new Seen.Request(history.first()));
                }),
                shown("G5", "accounted for but never consumed", () -> {
                    History history = plain();
                    return history.duplicate(history.sent("PLAIN/0", START), true);
                }),
                shown("G5", "is accepted and duplicate", () -> {
                    History history = plain();
                    return history.duplicate(history.first(), true);
                }),
                shown("G5", "a duplicate of nothing", () -> {
                    History history = new History(Kind.PLAIN);
                    return history.see(new Seen.Request(history.first())).duplicate(history.first(), true);
                }),
                shown(
                        "G5",
                        "went on without being accepted",
                        () -> new History(Kind.PLAIN).call().answer("answer").snapshot("answer")),
                shown("G5", "refused as INVALID", () -> {
                    History history = new History(Kind.PLAIN);
                    return history.see(new Seen.Request(history.first()))
                            .rejected(history.first(), Reason.INVALID, Optional.empty());
                }),
                shown("G5", "refused as too old, which it is not", () -> {
                    History history = new History(Kind.PLAIN);
                    return history.see(new Seen.Request(history.first()))
                            .rejected(history.first(), Reason.EXPIRED, Optional.empty());
                }),
                shown("G6", "a conflict answered as a duplicate", () -> {
                    History history = plain();
                    Sent other = history.sent("PLAIN/1", START);
                    return history.see(new Seen.Request(other)).duplicate(other, true);
                }),
                shown("G6", "conflicts with nothing", () -> {
                    History history = new History(Kind.PLAIN);
                    return history.see(new Seen.Request(history.first()))
                            .rejected(history.first(), Reason.CONFLICT, Optional.empty());
                }),
                shown("G6", "the same, and refused", () -> {
                    History history = plain();
                    Sent again = history.sent("PLAIN/0", START);
                    return history.see(new Seen.Request(again))
                            .rejected(again, Reason.CONFLICT, Optional.of(again.fingerprint()));
                }),
                shown("G6", "refused without both fingerprints", () -> {
                    History history = plain();
                    Sent other = history.sent("PLAIN/1", START);
                    return history.see(new Seen.Request(other)).rejected(other, Reason.CONFLICT, Optional.empty());
                }),
                shown("EXPIRY", "forgotten within the dedup window", () -> plain().forgotten()),
                shown(
                        "EXPIRY",
                        "forgotten before it ended",
                        () -> new History(Kind.PLAIN).accept().forgotten()),
                shown("EXPIRY", "forgotten twice", () -> new History(Kind.PLAIN).forgotten()));
    }

    private static Stream<Arguments> calls() {
        return Stream.of(
                shown(
                        "G4",
                        "2 calls where 1 are explained",
                        () -> new History(Kind.PLAIN).accept().call().call()),
                shown("G4", "called although its answer stood in the journal", () -> {
                    History history = new History(Kind.PLAIN).accept().call().answer("answer");
                    history.invariants.taskStarted();
                    return history.call();
                }),
                shown("G4", "failed for want of an answer that stood in the journal", () -> {
                    History history = new History(Kind.PLAIN).accept().call().answer("answer");
                    history.invariants.taskStarted();
                    return history.failed(Failure.Reason.MODEL_EXHAUSTED, "no result by its deadline");
                }),
                shown(
                        "G2",
                        "is nobody's answer to it",
                        () -> new History(Kind.PLAIN)
                                .accept()
                                .call()
                                .answer("answer")
                                .snapshot("another")),
                shown("G2", "is nobody's answer to it", () -> {
                    History history = new History(Kind.PLAIN).accept();
                    return history.answer(history.sent("PLAIN/1", START), "other content")
                            .snapshot("other content");
                }),
                shown(
                        "G2",
                        "is not the first answer in the journal",
                        () -> new History(Kind.PLAIN)
                                .accept()
                                .call()
                                .answer("answer")
                                .answer("later")
                                .snapshot("later")),
                shown("G2", "has a second snapshot", () -> answered(Kind.PLAIN).snapshot("answer")),
                shown(
                        "G2",
                        "has a snapshot after its ending",
                        () -> new History(Kind.PLAIN)
                                .accept()
                                .call()
                                .answer("answer")
                                .failed()
                                .snapshot("answer")),
                shown(
                        "OWNER",
                        "of this task taken for another's",
                        () -> new History(Kind.PLAIN)
                                .accept()
                                .log(Type.DISPATCHED, 1, "call 1 at jvm-1")
                                .log(Type.HANDED_OVER, 1, "still called by jvm-0")));
    }

    private static Stream<Arguments> effects() {
        return Stream.of(
                shown("G3", "issued after the ending", () -> plain().issue(0)),
                shown(
                        "G3",
                        "issued without a snapshot",
                        () -> new History(Kind.PLAIN).accept().issue(0)),
                shown(
                        "G2",
                        "made from another answer",
                        () -> answered(Kind.PIVOT).issue(Facts.with(effect(id(1), 1, false), id(1), 1, "another"))),
                shown(
                        "G3",
                        "not an id of this decision",
                        () -> answered(Kind.PIVOT)
                                .issue(Facts.with(
                                        effect(id(1), 1, false), new EffectId(History.ID, 1, 1, false), 1, "answer"))),
                shown("G3", "is not in the decision", () -> answered(Kind.PLAIN).issue(1)),
                shown(
                        "G3",
                        "issued without approval",
                        () -> answered(Kind.APPROVAL).issue(1)),
                shown(
                        "G3",
                        "differs from the decision",
                        () -> answered(Kind.STAGED).issue(2)),
                shown(
                        "G3",
                        "of an earlier stage succeeded",
                        () -> answered(Kind.PIVOT).issue(2)),
                shown(
                        "G3",
                        "goes to another route",
                        () -> answered(Kind.PIVOT)
                                .issue(new Effect(id(1), "effect-1", 1, "elsewhere", 1, "answer", START, START))),
                shown(
                        "G7",
                        "is not billing",
                        () -> answered(Kind.PLAIN)
                                .issue(new Effect(id(0), "billing", 0, "route", 1, "answer", START, START))),
                shown(
                        "G3",
                        "attempt 3 after 1",
                        () -> answered(Kind.PIVOT).issue(1).issue(effect(id(1), 3, false))),
                shown(
                        "G3",
                        "is not known to have failed",
                        () -> answered(Kind.PIVOT).issue(1).issue(effect(id(1), 2, false))),
                shown(
                        "G3",
                        "is not known to have failed",
                        () -> answered(Kind.PIVOT)
                                .issue(1)
                                .outcome(1, Result.AWAITING_CALLBACK)
                                .issue(effect(id(1), 2, false))),
                shown(
                        "G3",
                        "is not known to have failed",
                        () -> answered(Kind.PIVOT).issue(1).issue(effect(id(1), 2, true))),
                shown(
                        "G3",
                        "a probe is issued again",
                        () -> answered(Kind.PIVOT)
                                .issue(1)
                                .outcome(1, Result.AWAITING_CALLBACK)
                                .issue(effect(id(1), 2, true))
                                .issue(effect(id(1), 2, true))),
                shown("G3", "attempt 5 since 0", () -> {
                    History history = answered(Kind.PIVOT).issue(1);
                    for (int attempt = 1; attempt < 5; attempt++) {
                        history.outcome(id(1), attempt, Result.RETRYABLE).issue(effect(id(1), attempt + 1, false));
                    }
                    return history;
                }),
                shown(
                        "G3",
                        "issued again although it is settled",
                        () -> answered(Kind.PIVOT).issue(1).done(1).issue(1)),
                shown(
                        "G3",
                        "undoes what was not carried out",
                        () -> answered(Kind.PIVOT).undo(1)),
                shown(
                        "G3",
                        "undoes while an effect is out",
                        () -> answered(Kind.STAGED)
                                .issue(1)
                                .issue(stagedSecond())
                                .done(1)
                                .undo(1)),
                shown(
                        "G3",
                        "undoes past the pivot",
                        () -> answered(Kind.PIVOT)
                                .issue(1)
                                .done(1)
                                .issue(2)
                                .done(2)
                                .undo(1)),
                shown("G3", "undone before the later effect-2", () -> staged().undo(1)),
                shown(
                        "G3",
                        "undoes two at a time",
                        () -> staged().issue(new Effect(
                                        id(2).compensation(),
                                        "effect-2",
                                        1,
                                        "undo-effect-2",
                                        1,
                                        "answer",
                                        START,
                                        START))
                                .undo(1)),
                shown(
                        "G3",
                        "is not its compensation",
                        () -> staged().issue(Facts.with(stagedSecond(), id(2).compensation(), 1, "answer"))),
                shown(
                        "G3",
                        "although the request goes back",
                        () -> answered(Kind.PIVOT).issue(1).done(1).undo(1).issue(2)));
    }

    private static Effect stagedSecond() {
        return new Effect(id(2), "effect-2", 1, "route", 1, "answer", START, START);
    }

    private static History staged() {
        return answered(Kind.STAGED).issue(1).issue(stagedSecond()).done(1).done(stagedSecond());
    }

    private static Stream<Arguments> endings() {
        return Stream.of(
                shown(
                        "G2",
                        "its result is not its snapshot",
                        () -> new History(Kind.PLAIN).accept().committed("answer")),
                shown(
                        "G2",
                        "its result is not its snapshot",
                        () -> answered(Kind.PLAIN).issue(0).done(0).committed("another")),
                shown(
                        "G2",
                        "committed against the decision",
                        () -> answered(Kind.REFUSED).issue(0).done(0).committed("answer")),
                shown(
                        "G7",
                        "ended without being billed",
                        () -> answered(Kind.PLAIN).committed("answer")),
                shown(
                        "G3",
                        "committed without effect-1",
                        () -> answered(Kind.PIVOT).issue(0).done(0).committed("answer")),
                shown(
                        "G3",
                        "failed past the pivot",
                        () -> answered(Kind.PIVOT)
                                .issue(0)
                                .done(0)
                                .issue(1)
                                .done(1)
                                .issue(2)
                                .done(2)
                                .failed()),
                shown(
                        "G3",
                        "failed without undoing effect-1",
                        () -> answered(Kind.PIVOT)
                                .issue(0)
                                .done(0)
                                .issue(1)
                                .done(1)
                                .failed()),
                shown(
                        "G3",
                        "failed while effect-1 is out",
                        () -> answered(Kind.PIVOT).issue(0).done(0).issue(1).failed()),
                shown(
                        "G3",
                        "carried out without a decision",
                        () -> new History(Kind.PLAIN).accept().done(effect(id(1), 1, false))),
                shown(
                        "G3",
                        "carried out twice",
                        () -> answered(Kind.PIVOT).issue(1).done(1).done(1)),
                shown(
                        "G7",
                        "carried out twice",
                        () -> answered(Kind.PIVOT).issue(0).done(0).done(0)),
                shown(
                        "G3",
                        "carried out after the ending",
                        () -> plain().commit().done(effect(id(1), 1, false))),
                shown("G1", "has no ending", () -> {
                    History history = new History(Kind.PLAIN).accept().commit();
                    history.invariants.atRest(1);
                    return history;
                }),
                shown("G5", "1 accounted for", () -> {
                    History history = plain().commit();
                    history.invariants.atRest(2);
                    return history;
                }));
    }

    private static Stream<Arguments> audit() {
        return Stream.of(
                shown(
                        "AUDIT",
                        "noted as Optional.empty",
                        () -> answered(Kind.PIVOT).issue(1).callback(1, "event")),
                shown(
                        "AUDIT",
                        "to be noted as one of [CALLBACK_REFUSED]",
                        () -> answered(Kind.PIVOT).callback(1, "event").log(Type.EFFECT_OUTCOME, "callback event", 1)),
                shown(
                        "AUDIT",
                        "was heard before",
                        () -> answered(Kind.PIVOT)
                                .issue(1)
                                .callback(1, "event")
                                .log(Type.EFFECT_OUTCOME, "callback event", 1)
                                .callback(1, "event")
                                .log(Type.CALLBACK_LATE, "callback event", 1)),
                shown(
                        "AUDIT",
                        "noted twice",
                        () -> answered(Kind.PIVOT)
                                .command("command", Verb.RETRY)
                                .log(Type.COMMAND_REFUSED, 0, "RETRY refused")
                                .log(Type.COMMAND_REFUSED, 0, "RETRY refused")),
                shown(
                        "AUDIT",
                        "was heard before",
                        () -> answered(Kind.PIVOT)
                                .command("command", Verb.RETRY)
                                .log(Type.COMMAND_REFUSED, 0, "RETRY refused")
                                .command("command", Verb.RETRY)
                                .log(Type.COMMAND_REFUSED, 0, "RETRY refused")),
                shown(
                        "AUDIT",
                        "noted without who and why",
                        () -> answered(Kind.PIVOT)
                                .command("command", Verb.RETRY)
                                .log(Type.COMMAND_REFUSED, 0, "refused")));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("broken")
    void aBrokenHistoryIsObjectedTo(String guarantee, String objection, Supplier<History> history) {
        assertThatThrownBy(() -> history.get().commit())
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith(guarantee + ": ")
                .hasMessageContaining(objection);
    }

    @Test
    void aRightHistoryPasses() {
        assertThatCode(() -> plain().commit().invariants.atRest(1)).doesNotThrowAnyException();
        assertThatCode(() -> answered(Kind.PIVOT)
                        .issue(0)
                        .done(0)
                        .issue(1)
                        .outcome(1, Result.AWAITING_CALLBACK)
                        .issue(effect(id(1), 2, true))
                        .done(effect(id(1), 2, true))
                        .undo(1)
                        .done(effect(id(1).compensation(), 1, false))
                        .failed()
                        .commit()
                        .invariants
                        .atRest(1))
                .doesNotThrowAnyException();
    }
}
