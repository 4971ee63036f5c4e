package io.hellogpt.once.simulation;

import static io.hellogpt.once.simulation.History.START;
import static io.hellogpt.once.simulation.History.answered;
import static io.hellogpt.once.simulation.History.effect;
import static io.hellogpt.once.simulation.History.id;
import static io.hellogpt.once.simulation.InvariantsTest.plain;
import static io.hellogpt.once.simulation.InvariantsTest.shown;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.LifecycleEvent.Type;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is issued, carried out and ended wrongly is objected to; what is right passes. */
class EffectRulesTest {
    static Stream<Arguments> broken() {
        return Stream.concat(effects(), endings());
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
                                .log(Type.COMMAND_APPLIED, "SKIP: because", 1)
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
