package io.hellogpt.once.simulation;

import static io.hellogpt.once.simulation.History.START;
import static io.hellogpt.once.simulation.History.answered;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        return Stream.of(requests(), calls(), audit()).flatMap(cases -> cases);
    }

    static Arguments shown(String guarantee, String objection, Supplier<History> history) {
        return Arguments.of(guarantee, objection, history);
    }

    static History plain() {
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
    }
}
