package io.hellogpt.once.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.replay.capture.CaptureReader;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.replay.capture.Manifest;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactedCaptureTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(longs = {41, 42})
    void whatPeopleAndModelsWroteIsGoneAndTheReplayIsEqual(long seed) throws Exception {
        List<CapturedRecord> records = Captures.live(seed, 2, 400, dir);
        Path file = Captures.write(dir.resolve("r.avro"), records, 2);
        assertThat(texts(records)).contains("review clause", "\"who\":\"ann\"", "status 503", "asked to");

        Manifest manifest = RedactedCapture.replace(file);
        List<CapturedRecord> redacted = read(file);
        ReplayReport report = Replay.of(file, ReplayOptions.AS_RECORDED, ReplayListener.NONE);

        assertThat(manifest.redacted()).isTrue();
        assertThat(texts(redacted))
                .doesNotContain("review clause")
                .doesNotContain("\"ann\"")
                .doesNotContain("status 503")
                .doesNotContain("asked to")
                .contains("digest-");
        assertThat(report.divergences()).isEmpty();
        assertThat(count(redacted, Topics.COMMITTED_RESULTS)).isEqualTo(count(records, Topics.COMMITTED_RESULTS));
        assertThat(count(redacted, Topics.DUPLICATE_REQUESTS)).isEqualTo(count(records, Topics.DUPLICATE_REQUESTS));
    }

    private static long count(List<CapturedRecord> records, String topic) {
        return records.stream().filter(record -> record.topic().equals(topic)).count();
    }

    private static String texts(List<CapturedRecord> records) {
        StringBuilder all = new StringBuilder();
        records.forEach(record -> {
            if (record.value() != null) {
                all.append(new String(record.value(), StandardCharsets.ISO_8859_1))
                        .append('\n');
            }
        });
        return all.toString();
    }

    private static List<CapturedRecord> read(Path file) throws Exception {
        List<CapturedRecord> records = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(file)) {
            for (Optional<CapturedRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                records.add(next.get());
            }
        }
        return records;
    }
}
