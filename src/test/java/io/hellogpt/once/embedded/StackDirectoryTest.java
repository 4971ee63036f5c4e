package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackDirectoryTest {
    @TempDir
    Path dir;

    @Test
    void emptiesWhatAnEarlierStackLeft() throws Exception {
        try (StackDirectory first = StackDirectory.take(dir)) {
            Files.writeString(
                    Files.createDirectory(first.path().resolve("logs")).resolve("old.log"), "old");
        }

        try (StackDirectory second = StackDirectory.take(dir)) {
            assertThat(second.path().resolve("logs")).doesNotExist();
        }
    }

    @Test
    void leavesForeignFilesAlone() throws Exception {
        Path precious = Files.writeString(dir.resolve("thesis.txt"), "years of work");

        assertThatThrownBy(() -> StackDirectory.take(dir))
                .isInstanceOf(EmbeddedException.class)
                .hasMessageContaining("--dir");
        assertThat(precious).hasContent("years of work");
    }

    @Test
    void belongsToOneStackAtATime() {
        try (StackDirectory first = StackDirectory.take(dir)) {
            assertThatThrownBy(() -> StackDirectory.take(first.path()))
                    .isInstanceOf(EmbeddedException.class)
                    .hasMessageContaining("another stack lives in");
        }
    }
}
