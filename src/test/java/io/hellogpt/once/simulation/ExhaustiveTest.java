package io.hellogpt.once.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.simulation.Exhaustive.Choice;
import io.hellogpt.once.simulation.Exhaustive.Searched;
import io.hellogpt.once.simulation.Exhaustive.Start;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every interleaving of two requests and three faults, in the smallest worlds that show each fault. */
class ExhaustiveTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** What each world begins with, and which faults may strike it. */
    enum Small {
        TWO_REQUESTS_AND_PROCESSES(
                Start.requests(Kind.PLAIN, Kind.PLAIN), Exhaustive.abort(), Exhaustive.crash(), Exhaustive.migrate()),
        TWO_REQUESTS_AND_THE_JOURNAL(
                Start.requests(Kind.PLAIN, Kind.PLAIN),
                Exhaustive.abort(),
                Exhaustive.stall(),
                Exhaustive.secondAnswer()),
        A_CONFLICT_IN_ANOTHER_PARTITION(Start.conflict(), Exhaustive.abort(), Exhaustive.crash(), Exhaustive.migrate()),
        EFFECTS_THAT_FAIL(
                Start.requests(Kind.SINGLE, Kind.PLAIN),
                Exhaustive.failedEffect(),
                Exhaustive.outcomeAgain(),
                Exhaustive.cancel()),
        CALLBACKS(
                Start.requests(Kind.SINGLE, Kind.PLAIN),
                Exhaustive.awaitedCallback(),
                Exhaustive.outcomeAgain(),
                Exhaustive.abort());

        private final Start start;
        private final List<Choice> faults;

        Small(Start start, Choice... faults) {
            this.start = start;
            this.faults = List.of(faults);
        }
    }

    @Test
    void everyInterleavingKeepsEveryGuarantee() {
        long begun = System.nanoTime();
        long states = 0;
        double interleavings = 0;
        for (Small world : Small.values()) {
            Searched result = new Exhaustive(Protocol::new, world.start, world.faults).search();
            System.out.printf("exhaustive: %s %s%n", world, result);
            assertThat(result.violation()).as(world.name()).isEmpty();
            states += result.states();
            interleavings += result.interleavings();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        System.out.printf(
                "exhaustive: %d states, %.3g interleavings, %.1f s%n", states, interleavings, took.toMillis() / 1e3);
        assertThat(took).isLessThan(LIMIT);
    }

    static Stream<Arguments> breakages() {
        return Stream.of(
                Arguments.of(WorldMutation.DROP_THE_BARRIER, Small.TWO_REQUESTS_AND_PROCESSES),
                Arguments.of(WorldMutation.FORGET_THE_HANDOVER, Small.TWO_REQUESTS_AND_PROCESSES),
                Arguments.of(WorldMutation.DISPATCH_NEW_REQUESTS_BEFORE_THE_BARRIER, Small.TWO_REQUESTS_AND_PROCESSES),
                Arguments.of(WorldMutation.KEEP_OFFSETS_OF_AN_ABORTED_TRANSACTION, Small.TWO_REQUESTS_AND_PROCESSES),
                Arguments.of(PastBug.IGNORE_HANDOVERS_OF_ABORTED_DISPATCHES, Small.TWO_REQUESTS_AND_PROCESSES),
                Arguments.of(CallMutation.FORGET_THE_STASH, Small.TWO_REQUESTS_AND_PROCESSES),
                Arguments.of(CallMutation.RECORD_A_SECOND_SNAPSHOT, Small.TWO_REQUESTS_AND_THE_JOURNAL),
                Arguments.of(CallMutation.LET_THE_LAST_STASHED_ANSWER_WIN, Small.TWO_REQUESTS_AND_THE_JOURNAL),
                Arguments.of(LifeMutation.GIVE_A_CALL_BACK_TO_A_ZOMBIE, Small.TWO_REQUESTS_AND_THE_JOURNAL),
                Arguments.of(LifeMutation.TAKE_ANSWERS_TO_OTHER_CONTENT, Small.A_CONFLICT_IN_ANOTHER_PARTITION),
                Arguments.of(LifeMutation.TAKE_THE_STASH_OF_OTHER_LIVES, Small.A_CONFLICT_IN_ANOTHER_PARTITION),
                Arguments.of(PlanMutation.CANCEL_AND_FORGET_WHAT_IS_OUT, Small.EFFECTS_THAT_FAIL),
                Arguments.of(PlanMutation.COMPENSATE_NOTHING, Small.EFFECTS_THAT_FAIL),
                Arguments.of(EffectMutation.SETTLE_TWICE, Small.EFFECTS_THAT_FAIL),
                Arguments.of(AuditMutation.DROP_CALLBACKS, Small.CALLBACKS),
                Arguments.of(AuditMutation.FORGET_THE_IDS_OF_CALLBACKS, Small.CALLBACKS));
    }

    @ParameterizedTest
    @MethodSource("breakages")
    void aBreakageIsFound(Mutation mutation, Small world) {
        Supplier<Protocol> broken = mutation::broken;
        Searched result = new Exhaustive(broken, world.start, world.faults).search();

        assertThat(result.violation()).as("%s in %s", mutation, result).isPresent();
        assertThat(result.violation().get().guarantee()).isIn(mutation.caughtBy());
    }
}
