package io.hellogpt.once.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes that released versions wrote are read, not only by their schemas' word. Each line: type, record in base64. */
class ReleasedBytesTest {
    private static final Path RELEASED = Path.of("src/test/resources/released");
    private static final Map<String, Function<byte[], Object>> INTO_CORE = Map.of(
            "StoredState", Codecs.STATE::decode,
            "ModelResponse", Codecs.JOURNAL::decode,
            "Snapshot", Codecs.SNAPSHOT::decode,
            "Effect", Codecs.EFFECT::decode,
            "EffectOutcome", Codecs.EFFECT_OUTCOME::decode,
            "OperatorCommand", Codecs.COMMAND::decode,
            "EarlyResponse", Codecs.EARLY_RESPONSE::decode,
            "TaskStep", Codecs.TASK_STEP::decode);

    static Stream<Arguments> records() throws IOException {
        return versions().stream()
                .flatMap(version -> lines(version).stream()
                        .map(line -> Arguments.of(
                                version.getFileName().toString(),
                                line.substring(0, line.indexOf(' ')),
                                Base64.getDecoder().decode(line.substring(line.indexOf(' ') + 1)))));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("records")
    void aStoredRecordIsRead(String version, String type, byte[] bytes) {
        ObjectNode json = RecordJson.read(bytes);

        assertThat(RecordJson.type(bytes)).isEqualTo(type);
        assertThat(json.isEmpty()).isFalse();
        if (INTO_CORE.containsKey(type)) {
            assertThat(INTO_CORE.get(type).apply(bytes)).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void everyTypeThatIsWrittenIsAmongThem(Path version) {
        Set<String> types = lines(version).stream()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .collect(Collectors.toSet());

        assertThat(types).containsAll(SchemaFingerprints.current().keySet());
    }

    static List<Path> versions() throws IOException {
        try (Stream<Path> directories = Files.list(RELEASED)) {
            return directories.sorted().toList();
        }
    }

    private static List<String> lines(Path version) {
        try {
            return Files.readAllLines(version.resolve("records.txt"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
