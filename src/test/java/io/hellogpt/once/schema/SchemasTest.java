package io.hellogpt.once.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What producers and consumers of other versions may rely on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchemasTest {
    private static final Path ROOT = Path.of("schemas");
    private static final Path RELEASED = ROOT.resolve("released");

    private final Map<String, Schema> current = byName(parse(ROOT));

    Stream<Schema> currentTypes() {
        return current.values().stream();
    }

    Stream<Arguments> releasedTypes() {
        return directories()
                .flatMap(version -> parse(version).stream()
                        .map(schema -> Arguments.of(version.getFileName().toString(), schema)));
    }

    @ParameterizedTest
    @MethodSource("currentTypes")
    void everyTypeAndEveryFieldIsExplained(Schema type) {
        assertThat(type.getDoc()).as(type.getName()).isNotBlank();
        if (type.getType() == Schema.Type.RECORD) {
            assertThat(type.getFields())
                    .allSatisfy(field -> assertThat(field.doc())
                            .as(type.getName() + "." + field.name())
                            .isNotBlank());
        }
    }

    @ParameterizedTest
    @MethodSource("currentTypes")
    void everyEnumCanLearnNewSymbols(Schema type) {
        if (type.getType() == Schema.Type.ENUM) {
            assertThat(type.getEnumDefault()).as(type.getName()).isEqualTo("UNRECOGNISED");
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("releasedTypes")
    void everyReleasedVersionIsReadNowAndReadsWhatIsWrittenNow(String version, Schema released) {
        Schema now = current.get(released.getFullName());

        assertThat(now).as("%s of %s still exists", released.getName(), version).isNotNull();
        assertReads(now, released);
        assertReads(released, now);
    }

    @Test
    void everyReleasedFileIsOnTheIndex() throws IOException {
        try (Stream<Path> files = Files.walk(RELEASED)) {
            List<String> paths = files.filter(file -> file.toString().endsWith(".avsc"))
                    .map(file -> RELEASED.relativize(file).toString().replace('\\', '/'))
                    .toList();
            assertThat(Files.readAllLines(RELEASED.resolve("index.txt"))).containsExactlyInAnyOrderElementsOf(paths);
        }
    }

    @Test
    void theReleasedVersionsAreOnTheClasspath() {
        assertThat(ReleasedSchemas.versions().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        directories().map(Path::getFileName).map(Path::toString).toList());
        assertThat(ReleasedSchemas.of("io.hellogpt.once.schema.avro.StoredState"))
                .isNotEmpty();
    }

    @Test
    void theGeneratedClassesAreOfTheseSchemas() {
        assertThat(current).hasSize(30);
        assertThat(current.values()).allSatisfy(schema -> {
            Class<?> type = WireModel.INSTANCE.getClass(schema);
            Schema generated = (Schema) type.getMethod("getClassSchema").invoke(null);
            assertThat(SingleObject.fingerprint(generated)).isEqualTo(SingleObject.fingerprint(schema));
        });
    }

    private static void assertReads(Schema reader, Schema writer) {
        SchemaCompatibility.SchemaPairCompatibility pair =
                SchemaCompatibility.checkReaderWriterCompatibility(reader, writer);
        assertThat(pair.getType()).as(pair.getDescription()).isEqualTo(SchemaCompatibilityType.COMPATIBLE);
    }

    private static Map<String, Schema> byName(List<Schema> schemas) {
        return schemas.stream().collect(Collectors.toMap(Schema::getFullName, Function.identity()));
    }

    private static List<Schema> parse(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return ReleasedSchemas.parse(files.filter(file -> file.toString().endsWith(".avsc"))
                    .sorted()
                    .map(SchemasTest::text)
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> directories() {
        try (Stream<Path> versions = Files.list(RELEASED)) {
            return versions.filter(Files::isDirectory).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
