package io.hellogpt.once.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What earlier versions captured, this one replays: their records are read, and their requests in flight go on as they did. */
class ReleasedCapturesTest {
    static List<Path> captures() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/captures"))) {
            return files.filter(file -> file.toString().endsWith(".avro"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("captures")
    void itReplaysEqual(Path capture) {
        ReplayReport report = Replay.of(capture, ReplayOptions.AS_RECORDED, ReplayListener.NONE);

        assertThat(report.requests()).isPositive();
        assertThat(report.divergences()).isEmpty();
    }
}
