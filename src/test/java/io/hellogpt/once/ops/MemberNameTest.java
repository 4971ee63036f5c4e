package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberNameTest {
    @TempDir
    Path state;

    @Test
    void theNameStaysWithTheDirectory() {
        String name = MemberName.keptIn(state, "app");

        assertThat(MemberName.keptIn(state, "app")).isEqualTo(name);
    }

    @Test
    void anotherDirectoryAndAnotherApplicationHaveAnother() {
        String name = MemberName.keptIn(state.resolve("one"), "app");

        assertThat(List.of(
                        MemberName.keptIn(state.resolve("two"), "app"), MemberName.keptIn(state.resolve("one"), "b")))
                .doesNotContain(name)
                .doesNotHaveDuplicates();
    }

    /** Others would go on looking for it where it was: a member that comes back is not announced. */
    @Test
    void anotherAddressMakesItAnotherMember() {
        String name = MemberName.keptIn(state, "app", "host-1:8080");

        assertThat(MemberName.keptIn(state, "app", "host-2:8080")).isNotEqualTo(name);
        assertThat(MemberName.keptIn(state, "app", "host-1:8080")).isEqualTo(name);
    }

    @Test
    void anEmptyFileIsNoName() throws IOException {
        Path file = Files.createDirectories(state.resolve("app")).resolve("member-name");
        Files.createFile(file);

        String name = MemberName.keptIn(state, "app");

        assertThat(name).startsWith(Files.readString(file)).isNotEqualTo(Files.readString(file));
        assertThat(file).isNotEmptyFile();
    }

    @Test
    void nothingIsLeftBehindBesidesTheName() throws IOException {
        MemberName.keptIn(state, "app");

        try (Stream<Path> files = Files.list(state.resolve("app"))) {
            assertThat(files).extracting(file -> file.getFileName().toString()).containsExactly("member-name");
        }
    }

    @Test
    void aFileThatHoldsNoNameIsNamed() throws IOException {
        Path file = Files.createDirectories(state.resolve("app")).resolve("member-name");
        Files.writeString(file, "two words");

        assertThatThrownBy(() -> MemberName.keptIn(state, "app"))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("delete it");
    }

    @Test
    void aDirectoryThatIsAFileIsNamed() throws IOException {
        Path file = Files.writeString(state.resolve("file"), "");

        assertThatThrownBy(() -> MemberName.keptIn(file, "app"))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining("state.dir")
                .hasMessageContaining(file.toString());
    }
}
