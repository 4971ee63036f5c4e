package io.hellogpt.once.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After any prefix: closed, opened again from the changelogs, gone on with; the outputs are the uninterrupted run's. */
class RestartTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33})
    void restartedAnywhereItWritesTheSame(long seed) throws Exception {
        Path file = Captures.write(dir.resolve("r.avro"), Captures.live(seed, 2, 150, dir), 2);

        assertThat(ReplayedSteps.restarted(file, new Random(seed), 12)).isEqualTo(ReplayedSteps.uninterrupted(file));
    }
}
