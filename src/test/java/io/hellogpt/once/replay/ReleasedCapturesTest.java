package io.hellogpt.once.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.replay.capture.CaptureReader;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.replay.capture.Manifest;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What earlier versions captured, this one replays: their records are read, and their requests in flight go on as they did. Each file
 * is a run of that version's own processes, captured by that version, with everything broken that {@code once chaos} breaks.
 */
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

    /** Of a run in which nothing went wrong nothing is proved. */
    @ParameterizedTest
    @MethodSource("captures")
    void itIsTheCaptureOfARunInWhichMuchWentWrong(Path capture) throws Exception {
        Set<String> happened = new TreeSet<>();
        Map<Integer, Set<TaskStep.Start>> starts = new TreeMap<>();
        try (CaptureReader reader = CaptureReader.open(capture)) {
            for (Optional<CapturedRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                CapturedRecord record = next.get();
                switch (record.topic()) {
                    case Topics.TASK_STEPS -> {
                        TaskStep step = Codecs.TASK_STEP.decode(record.value());
                        starts.computeIfAbsent(step.partition(), none -> new LinkedHashSet<>())
                                .add(step.start());
                    }
                    case Topics.LIFECYCLE_EVENTS -> happened.add(field(record, "type"));
                    case Topics.EFFECT_OUTCOMES -> happened.add(field(record, "result"));
                    case Topics.REJECTED_REQUESTS -> happened.add(field(record, "reason"));
                    default -> happened.add(record.topic());
                }
            }
            assertThat(reader.manifest().version() + ".avro")
                    .isEqualTo(capture.getFileName().toString());
            assertThat(reader.manifest().selection()).isEqualTo(Manifest.Selection.EVERYTHING);
        }

        assertThat(happened)
                .contains("CALL_FAILED", "HELD", "COMPENSATING", "COMMAND_APPLIED", "COMMITTED")
                .contains("RETRYABLE", "UNKNOWN", "FAILED")
                .contains("CONFLICT", "MALFORMED")
                .contains(Topics.DUPLICATE_REQUESTS, Topics.REQUESTS_REROUTED);
        assertThat(starts.values()).as("each task was taken over").allMatch(each -> each.size() > 1);
    }

    private static String field(CapturedRecord record, String name) {
        return RecordJson.read(record.value()).path(name).asText();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void replayedTwiceItWritesTheSameBytes(Path capture) throws Exception {
        assertThat(ReplayedSteps.uninterrupted(capture)).isEqualTo(ReplayedSteps.uninterrupted(capture));
    }

    @ParameterizedTest
    @MethodSource("captures")
    void restartedAnywhereItWritesTheSameBytes(Path capture) throws Exception {
        assertThat(ReplayedSteps.restarted(capture, new Random(1), 40)).isEqualTo(ReplayedSteps.uninterrupted(capture));
    }
}
