package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFollowerTest {
    @TempDir
    Path dir;

    @Test
    void givesEachWholeLineOnce() throws IOException {
        Path log = dir.resolve("log");
        LogFollower follower = new LogFollower(log);
        assertThat(follower.next()).isEmpty();

        Files.writeString(log, "first\nsecönd\nthi");
        assertThat(follower.next()).containsExactly("first", "secönd");
        assertThat(follower.next()).isEmpty();

        Files.writeString(log, "rd\n", StandardOpenOption.APPEND);
        assertThat(follower.next()).containsExactly("third");
    }
}
