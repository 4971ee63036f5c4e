package io.hellogpt.once.replay.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.replay.Captures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that cannot be replayed gives one clear error. */
class CaptureReaderTest {
    @TempDir
    Path dir;

    @Test
    void whatIsWrittenIsReadBack() throws Exception {
        Path file = capture(5);

        try (CaptureReader reader = CaptureReader.open(file)) {
            for (int i = 0; i < 5; i++) {
                CapturedRecord record = reader.next().orElseThrow();
                assertThat(record.offset()).isEqualTo(i);
                assertThat(record.value()).containsExactly(i);
                assertThat(record.key()).isNull();
                assertThat(record.header("h")).contains("v");
            }
            assertThat(reader.next()).isEmpty();
            assertThat(reader.manifest().partitions()).isEqualTo(3);
        }
    }

    @Test
    void everyCutIsSeen() throws Exception {
        byte[] whole = Files.readAllBytes(capture(5));

        for (int length = 1; length < whole.length; length += 7) {
            Path cut = dir.resolve("cut.avro");
            Files.write(cut, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> readAll(cut))
                    .isInstanceOf(UnusableCaptureException.class)
                    .hasMessageContaining("cut.avro cannot be replayed: it is ");
        }
    }

    @Test
    void aCutBetweenBlocksIsSeenByItsMissingEnd() throws Exception {
        Path file = dir.resolve("open.avro");
        Path unfinished = dir.resolve("open.avro.unfinished");
        try (CaptureWriter writer = new CaptureWriter(file, Captures.manifest(3, Manifest.Selection.EVERYTHING))) {
            byte[] filler = new byte[300_000];
            new java.util.Random(1).nextBytes(filler);
            for (int i = 0; i < 4; i++) {
                writer.write(new CapturedRecord("requests", 0, i, 0, null, filler, List.of()));
            }
            Files.copy(unfinished, dir.resolve("blocks.avro"));
        }

        assertThat(file).doesNotExist();
        assertThatThrownBy(() -> readAll(dir.resolve("blocks.avro")))
                .isInstanceOf(UnusableCaptureException.class)
                .hasMessageContaining("truncated");
    }

    @Test
    void aForeignFileIsNamedAsOne() throws Exception {
        Path text = Files.writeString(dir.resolve("notes.txt"), "not a capture");
        assertThatThrownBy(() -> readAll(text))
                .isInstanceOf(UnusableCaptureException.class)
                .hasMessageContaining("not a capture, but something else");

        Path avro = dir.resolve("other.avro");
        Schema schema = Schema.create(Schema.Type.STRING);
        try (DataFileWriter<Object> writer =
                new DataFileWriter<>(new GenericDatumWriter<>(schema, GenericData.get()))) {
            writer.create(schema, avro.toFile());
            writer.append("hello");
        }
        assertThatThrownBy(() -> readAll(avro))
                .isInstanceOf(UnusableCaptureException.class)
                .hasMessageContaining("an Avro file, but not a capture");
    }

    @Test
    void aLaterFormatIsNamedWithItsVersion() throws Exception {
        Manifest later = new Manifest(
                2,
                "9.0.0",
                Manifest.Selection.EVERYTHING,
                0,
                false,
                3,
                List.of(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
        Path file = dir.resolve("later.avro");
        try (CaptureWriter writer = new CaptureWriter(file, later)) {
            writer.finish();
        }

        assertThatThrownBy(() -> readAll(file))
                .isInstanceOf(UnusableCaptureException.class)
                .hasMessageContaining("made by version 9.0.0 (format 2)")
                .hasMessageContaining("replay it with that version or a later one");
    }

    /** A later version may leave the form of the file as it is and write other records into it. */
    @Test
    void recordsOfALaterVersionAreNamedWithItsVersion() throws Exception {
        Manifest later = new Manifest(
                Manifest.FORMAT,
                "9.0.0",
                Manifest.Selection.EVERYTHING,
                0,
                false,
                3,
                List.of(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(Map.of("Snapshot", "0123456789abcdef")),
                new TreeMap<>());
        Path file = dir.resolve("later.avro");
        try (CaptureWriter writer = new CaptureWriter(file, later)) {
            writer.finish();
        }

        assertThatThrownBy(() -> readAll(file))
                .isInstanceOf(UnusableCaptureException.class)
                .hasMessageContaining("made by version 9.0.0, whose Snapshot this one does not know")
                .hasMessageContaining("replay it with that version or a later one");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> CaptureReader.open(dir.resolve("none.avro")))
                .isInstanceOf(UnusableCaptureException.class)
                .hasMessageContaining("there is no file");
    }

    private Path capture(int records) throws IOException {
        Path file = dir.resolve("whole.avro");
        try (CaptureWriter writer = new CaptureWriter(file, Captures.manifest(3, Manifest.Selection.EVERYTHING))) {
            for (int i = 0; i < records; i++) {
                writer.write(new CapturedRecord(
                        "requests",
                        1,
                        i,
                        100 + i,
                        null,
                        new byte[] {(byte) i},
                        List.of(new CapturedRecord.Entry("h", new byte[] {'v'}))));
            }
            writer.finish();
        }
        return file;
    }

    private static void readAll(Path file) throws IOException {
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (reader.next().isPresent()) {
                // Only whether it can be read matters.
            }
        }
    }
}
