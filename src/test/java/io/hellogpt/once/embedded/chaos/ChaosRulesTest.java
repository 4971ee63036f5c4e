package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.ops.verify.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule sees a run that breaks it. */
class ChaosRulesTest {
    @Test
    void aRunInWhichEverythingHappenedAndHeldPasses() {
        assertThat(ChaosRules.problems(new RunExample().run())).isEmpty();
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                broken("a guarantee was violated", "G1", run -> run.result = Verdict.Result.VIOLATED),
                broken("a guarantee could not be decided", "G1", run -> run.result = Verdict.Result.UNDECIDED),
                broken(
                        "a kind of fault never came up",
                        "disk_full never fired",
                        run -> run.faults.removeIf(fault -> fault.type().kind() == FaultKind.DISK_FULL)),
                broken(
                        "a kind of fault hit nothing",
                        "clock_skewed never fired",
                        run -> run.faults.replaceAll(fault -> fault.type().kind() == FaultKind.CLOCK_SKEWED
                                ? RunExample.fault(fault.number(), fault.type(), false, "")
                                : fault)),
                broken("in a long run one type never came up", "cut worker-database never fired", run -> {
                    run.duration = Duration.ofHours(1);
                    run.faults.removeIf(fault -> fault.type().key().equals("cut worker-database"));
                }),
                broken("a fault was never over", "was never over", run -> {
                    FaultRecord open = run.faults.getFirst();
                    run.faults.set(
                            0,
                            new FaultRecord(
                                    open.number(),
                                    open.type(),
                                    open.target(),
                                    open.injected(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    true,
                                    ""));
                }),
                broken(
                        "a fault could not be healed",
                        "healing failed",
                        run -> run.faults.add(RunExample.fault(
                                99, FaultType.all().getFirst(), false, "healing failed: no such file"))),
                broken(
                        "an instance gave up",
                        "no full disk explains that instance-2 ended",
                        run -> run.incidents.add(new FaultLog.Incident(
                                RunExample.START.plusSeconds(60), "instance-2 ended", true, true))),
                broken(
                        "the run cannot be made to happen again",
                        "not equal: 1 differences",
                        run -> run.replayDifference = Optional.of("1 differences, the first: contract-1")),
                broken("a request has no ending", "chaos-1", run -> run.missing.put("chaos-1", "GENERATING")),
                broken("nothing was sent twice", "none of: duplicates", run -> run.counts.put("duplicates", 0L)),
                broken("there was no conflict", "none of: conflicts", run -> run.counts.put("conflicts", 0L)),
                broken("there was no garbage", "none of: rejected", run -> run.counts.put("rejected otherwise", 0L)),
                broken("nothing was committed", "none of: committed", run -> run.counts.put("committed", 0L)),
                broken("nothing failed", "none of: failed", run -> run.counts.put("failed", 0L)),
                broken(
                        "nothing was undone",
                        "none of: failed with",
                        run -> run.counts.remove("failed with something undone")),
                broken("nothing was resolved", "none of: resolved", run -> run.counts.remove("resolved by a person")),
                broken("no callback counted", "none of: settled", run -> run.counts.remove("settled by a callback")),
                broken("nobody rejected", "command REJECT", run -> run.commands.remove("REJECT_APPLIED")),
                broken(
                        "no callback came late",
                        "after_the_deadline",
                        run -> run.callbacks.remove("after_the_deadline")),
                broken(
                        "a genuine callback was refused",
                        "genuine_and_refused: 1",
                        run -> run.callbacks.put(BackOffice.REFUSED, 1L)),
                broken(
                        "a forged callback was believed",
                        "forged_and_heard: 1",
                        run -> run.callbacks.put(BackOffice.FORGED_AND_HEARD, 1L)),
                broken("a producer was silent", "librdkafka sent nothing", run -> run.sent.put("librdkafka", 0L)),
                broken("a class of effects is missing", "class OPAQUE", run -> run.effects.remove("OPAQUE")),
                broken(
                        "a class of effects was never carried out",
                        "class PROBEABLE",
                        run -> run.effects.put("PROBEABLE", new Figures.PerClass(5, 9, 0, 0))));
    }

    private static Arguments broken(String name, String reason, Consumer<RunExample> how) {
        return argumentSet(name, reason, how);
    }

    @ParameterizedTest
    @MethodSource("broken")
    void aRunThatBreaksARuleFails(String reason, Consumer<RunExample> how) {
        RunExample run = new RunExample();
        how.accept(run);

        assertThat(ChaosRules.problems(run.run())).singleElement().asString().contains(reason);
    }

    @Test
    void anInstanceGivesUpUnlessItCannotReachTheCluster() {
        assertThat(Supervisor.gaveUp(Role.INSTANCE, ExitCode.STREAMS_FAILED.code()))
                .isTrue();
        assertThat(Supervisor.gaveUp(Role.INSTANCE, ExitCode.OK.code())).isTrue();
        assertThat(Supervisor.gaveUp(Role.INSTANCE, ExitCode.UNREACHABLE.code()))
                .isFalse();
        assertThat(Supervisor.gaveUp(Role.WORKER, ExitCode.STREAMS_FAILED.code()))
                .isFalse();
    }

    @Test
    void anInstanceThatEndedOnAFullDiskAndAnyIncidentThatIsNotOneGivingUpAreOnlyReported() {
        RunExample run = new RunExample();
        run.incidents.add(new FaultLog.Incident(RunExample.START.plusSeconds(4), "instance-1 ended", true, true));
        run.incidents.add(new FaultLog.Incident(RunExample.START.plusSeconds(60), "a worker ended", false, false));

        assertThat(ChaosRules.problems(run.run())).isEmpty();
    }

    @Test
    void whatTheMachineDoesNotAllowIsNotRequired() {
        RunExample run = new RunExample();
        run.faults.removeIf(fault -> fault.type().kind() == FaultKind.DISK_FULL);
        run.required = FaultType.all().stream()
                .filter(type -> type.kind() != FaultKind.DISK_FULL)
                .toList();

        assertThat(ChaosRules.problems(run.run())).isEmpty();
    }

    @Test
    void aShortRunNeedsEveryKindButNotEveryTarget() {
        RunExample run = new RunExample();
        run.faults.removeIf(fault -> fault.type().kind() == FaultKind.KILLED
                && !fault.type().equals(FaultType.of(FaultKind.KILLED, Role.BROKER)));

        assertThat(ChaosRules.problems(run.run())).isEmpty();
        assertThat(FaultCounts.missing(List.copyOf(FaultType.all()), true, run.faults))
                .hasSize(Role.values().length);
    }
}
