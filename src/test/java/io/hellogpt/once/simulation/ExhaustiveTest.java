package io.hellogpt.once.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.simulation.Exhaustive.Searched;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every interleaving of two requests and three faults, in the smallest worlds that show each fault. */
class ExhaustiveTest {
    private static final int FAULTS = Integer.getInteger("exhaustive.faults", 3);

    @Test
    void everyInterleavingKeepsEveryGuarantee() {
        long begun = System.nanoTime();
        long states = 0;
        double interleavings = 0;
        for (SmallWorld world : SmallWorld.values()) {
            Searched searched = new Exhaustive(Protocol::new, world, FAULTS).search();
            System.out.printf("exhaustive: %s: %s%n", world, searched);
            assertThat(searched.violation()).as(world.name()).isEmpty();
            states += searched.states();
            interleavings += searched.interleavings();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        System.out.printf(
                "exhaustive: %d faults, %d states, %.3g interleavings, %.1f s%n",
                FAULTS, states, interleavings, took.toMillis() / 1e3);
    }

    static Stream<Arguments> breakages() {
        return Stream.of(
                Arguments.of(WorldMutation.DROP_THE_BARRIER, SmallWorld.CALLS_AND_PROCESSES),
                Arguments.of(WorldMutation.FORGET_THE_HANDOVER, SmallWorld.CALLS_AND_PROCESSES),
                Arguments.of(WorldMutation.DISPATCH_NEW_REQUESTS_BEFORE_THE_BARRIER, SmallWorld.CALLS_AND_PROCESSES),
                Arguments.of(WorldMutation.KEEP_OFFSETS_OF_AN_ABORTED_TRANSACTION, SmallWorld.CALLS_AND_PROCESSES),
                Arguments.of(PastBug.IGNORE_HANDOVERS_OF_ABORTED_DISPATCHES, SmallWorld.CALLS_AND_PROCESSES),
                Arguments.of(CallMutation.FORGET_THE_STASH, SmallWorld.CALLS_AND_PROCESSES),
                Arguments.of(CallMutation.RECORD_A_SECOND_SNAPSHOT, SmallWorld.CALLS_AND_A_ZOMBIE),
                Arguments.of(CallMutation.LET_THE_LAST_STASHED_ANSWER_WIN, SmallWorld.CALLS_AND_A_ZOMBIE),
                Arguments.of(LifeMutation.GIVE_A_CALL_BACK_TO_A_ZOMBIE, SmallWorld.CALLS_AND_A_ZOMBIE),
                Arguments.of(LifeMutation.TAKE_ANSWERS_TO_OTHER_CONTENT, SmallWorld.A_CONFLICT),
                Arguments.of(LifeMutation.TAKE_THE_STASH_OF_OTHER_LIVES, SmallWorld.A_CONFLICT),
                Arguments.of(PlanMutation.CANCEL_AND_FORGET_WHAT_IS_OUT, SmallWorld.EFFECTS),
                Arguments.of(PlanMutation.COMPENSATE_NOTHING, SmallWorld.EFFECTS),
                Arguments.of(EffectMutation.SETTLE_TWICE, SmallWorld.EFFECTS),
                Arguments.of(AuditMutation.DROP_CALLBACKS, SmallWorld.CALLBACKS),
                Arguments.of(AuditMutation.FORGET_THE_IDS_OF_CALLBACKS, SmallWorld.CALLBACKS));
    }

    @ParameterizedTest
    @MethodSource("breakages")
    void aBreakageIsFound(Mutation mutation, SmallWorld world) {
        Searched searched = new Exhaustive(mutation::broken, world, 2).search();

        assertThat(searched.violation()).as("%s in %s", mutation, searched).isPresent();
        assertThat(searched.violation().get().guarantee()).isIn(mutation.caughtBy());
    }
}
