package io.hellogpt.once.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Random walks. {@code -Dsim.seed} starts at another seed, {@code -Dsim.steps} makes it longer; a failure prints the seed and the
 * shrunk list of steps.
 */
class SimulationTest {
    private static final long STEPS = Long.getLong("sim.steps", 2_000_000);
    private static final long SEED = Long.getLong("sim.seed", 1);
    private static final int LENGTH = Integer.getInteger("sim.length", 200);
    private static final int ENOUGH = Integer.getInteger("sim.failures", 3);

    @Test
    void everyGuaranteeHoldsWhateverTheAdversaryDoes() {
        Simulation simulation = new Simulation(Protocol::new);
        List<String> failures = new ArrayList<>();
        long begun = System.nanoTime();
        long steps = 0;
        long endings = 0;
        long seed = SEED;
        for (; steps < STEPS && failures.size() < ENOUGH; seed++) {
            Simulation.Run run = simulation.walk(seed, LENGTH);
            steps += run.length();
            endings += run.endings();
            if (run.violation().isPresent()) {
                failures.add(simulation.report(seed, run));
            }
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.printf(
                "simulation: seeds %d..%d, %d steps, %d endings, %.1f s, %.0f steps/s%n",
                SEED, seed - 1, steps, endings, seconds, steps / seconds);
        assertThat(failures).isEmpty();
    }
}
