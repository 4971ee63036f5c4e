package io.hellogpt.once.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.replay.capture.CaptureReader;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.topology.Topics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

        List<String> uninterrupted = written(file, new Random(seed), 0);
        List<String> restarted = written(file, new Random(seed), 12);

        assertThat(restarted).isEqualTo(uninterrupted);
    }

    /** @param oneIn restarts after one step in so many; never when 0 */
    private static List<String> written(Path file, Random random, int oneIn) throws Exception {
        List<String> written = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(file);
                Replay replay = new Replay(reader.manifest(), ReplayOptions.AS_RECORDED, ReplayListener.NONE)) {
            Optional<CapturedRecord> read = Optional.empty();
            for (Optional<CapturedRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                CapturedRecord record = next.get();
                if (record.topic().equals(Topics.TASK_STEPS)) {
                    replay.step(record, read)
                            .forEach(output -> written.add(output.topic() + " " + Differences.json(output.value())));
                    read = Optional.empty();
                    if (oneIn > 0 && random.nextInt(oneIn) == 0) {
                        replay.restart();
                    }
                } else if (Topics.INPUTS.contains(record.topic())) {
                    read = Optional.of(record);
                }
            }
        }
        return written;
    }
}
