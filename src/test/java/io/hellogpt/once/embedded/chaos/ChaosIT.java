package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.embedded.Narrator;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A minute of faults. The seed is another one each time, and stands in the report; {@code -Dchaos.seed} sets it. */
class ChaosIT {
    private static final long SEED = Long.getLong("chaos.seed", System.nanoTime() % 1_000_000_000);

    @Test
    void everyGuaranteeHoldsThroughAMinuteOfFaults() throws Exception {
        // Beside the classes and not in a directory that is deleted: whoever has to find out why needs it.
        Path dir = Path.of(System.getProperty("once.connect.plugin.path")).resolveSibling("chaos-test");

        ChaosResult result = new Chaos(dir, ChaosSettings.of(Duration.ofSeconds(60), SEED), new Quiet()).run();

        assertThat(result.problems())
                .as(result.summary() + "\n" + result.text())
                .isEmpty();
        assertThat(dir.resolve("report.json")).exists();
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    private static final class Quiet implements Narrator {
        @Override
        public void say(String line) {
            System.out.println("chaos: " + line);
        }

        @Override
        public void progress(String text) {}
    }
}
