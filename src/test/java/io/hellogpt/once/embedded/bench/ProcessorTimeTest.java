package io.hellogpt.once.embedded.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ProcessorTimeTest {
    /** Some tenths of a second of a shell's time; a tenth of that is more than its parent needs to start. */
    private static final String WORK = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";

    private static final double SOME = 0.04;
    private static final long SELF = ProcessHandle.current().pid();

    @Test
    @EnabledOnOs(OS.LINUX)
    void aChildThatHasEndedStillCounts() throws IOException, InterruptedException {
        // A parent that outlives the child it has waited for, as PostgreSQL outlives its backends.
        Process parent = new ProcessBuilder("sh", "-c", "sh -c '" + WORK + "'; echo over; read x").start();
        try (BufferedReader out = parent.inputReader()) {
            assertThat(out.readLine()).isEqualTo("over");

            assertThat(ProcessorTime.seconds(parent.pid())).isGreaterThan(SOME);
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }

    @Test
    void aProcessThatIsGoneHasUsedNothing() throws IOException, InterruptedException {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();

        assertThat(ProcessorTime.seconds(gone.pid())).isZero();
    }

    @Test
    void thisProcessCountsWithoutItsChildren() {
        assertThat(ProcessorTime.ofThisProcess()).isPositive().isLessThanOrEqualTo(ProcessorTime.seconds(SELF));
    }
}
