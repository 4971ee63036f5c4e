package io.hellogpt.once.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.topology.Topics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replay equality is a property: whatever happened, taking the recorded steps again writes the same. */
class ReplayEqualityTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverHappenedHappensAgain(long seed) throws Exception {
        List<CapturedRecord> records = Captures.live(seed, 3, 600, dir);

        ReplayReport report = Replay.of(
                Captures.write(dir.resolve("a.avro"), records, 3), ReplayOptions.AS_RECORDED, ReplayListener.NONE);

        assertThat(report.divergences()).isEmpty();
        assertThat(report.steps())
                .isEqualTo(records.stream()
                        .filter(record -> record.topic().equals(Topics.TASK_STEPS))
                        .count());
        assertThat(report.outside()).isZero();
    }

    @Test
    void theWorldsTogetherDoEverythingATopologyCanWrite() throws Exception {
        List<CapturedRecord> all = new ArrayList<>();
        for (long seed = 1; seed <= 4; seed++) {
            all.addAll(Captures.live(seed, 3, 600, dir));
        }

        assertThat(all.stream().map(CapturedRecord::topic).collect(Collectors.toSet()))
                .containsAll(Topics.OUTPUTS)
                .containsAll(Topics.INPUTS);
    }
}
