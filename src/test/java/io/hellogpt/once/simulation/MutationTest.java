package io.hellogpt.once.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rig can see: every deliberate breakage of the protocol is found, and by a check that is meant to find it. */
class MutationTest {
    private static final long ENOUGH = 4_000_000;
    private static final int LENGTH = 200;

    static List<Mutation> mutations() {
        return Stream.<Mutation[]>of(
                        DedupMutation.values(),
                        CallMutation.values(),
                        LifeMutation.values(),
                        EffectMutation.values(),
                        PlanMutation.values(),
                        AuditMutation.values(),
                        WorldMutation.values(),
                        PastBug.values())
                .flatMap(Stream::of)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void isFound(Mutation mutation) {
        Simulation simulation = new Simulation(mutation::broken);
        long steps = 0;
        for (long seed = 1; steps < ENOUGH; seed++) {
            Simulation.Run run = simulation.walk(seed, LENGTH);
            steps += run.length();
            if (run.violation().isPresent()) {
                Violation violation = run.violation().get();
                System.out.printf(
                        "mutation %s: found after %d steps (seed %d) by %s%n",
                        mutation, steps, seed, violation.getMessage());
                assertThat(violation.guarantee()).isIn(mutation.caughtBy());
                return;
            }
        }
        assertThat(steps).as("%s was not found in this many steps", mutation).isZero();
    }

    @Test
    void thereAreEnough() {
        assertThat(mutations()).hasSizeGreaterThan(25);
    }
}
