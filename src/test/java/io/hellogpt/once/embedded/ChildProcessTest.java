package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path dir;

    @Test
    void namesTheExitCodeAndTheLogWhenAChildEndsTooEarly() {
        try (ChildProcess child = start("fail")) {
            assertThatThrownBy(() -> child.awaitReady("a miracle", SOON, () -> false))
                    .isInstanceOf(EmbeddedException.class)
                    .hasMessageContaining("letter-box (pid " + child.pid() + ") ended with code 1")
                    .hasMessageContaining("waiting for a miracle")
                    .hasMessageContaining("no letter today");
        }
    }

    @Test
    void stopsWhenAskedAndRunsItsHooks() {
        try (ChildProcess child = started()) {
            assertThat(child.stop(SOON)).isTrue();
            assertThat(log()).contains("hook ran");
        }
    }

    @Test
    void endsWhenItsParentVanishes() {
        try (ChildProcess child = started()) {
            child.releaseInput();

            assertThat(child.awaitExit(SOON)).isTrue();
            assertThat(child.exitCode()).isEqualTo(ChildMain.ORPHANED);
        }
    }

    @Test
    void doesNothingWhilePaused() {
        try (ChildProcess child = started()) {
            child.pause();
            child.terminate();
            assertThat(child.awaitExit(Duration.ofMillis(200))).isFalse();

            child.resume();
            assertThat(child.awaitExit(SOON)).isTrue();
        }
    }

    @Test
    void ignoresTheTerminalsInterrupt() throws IOException, InterruptedException {
        try (ChildProcess child = started()) {
            new ProcessBuilder("/bin/sh", "-c", "kill -INT " + child.pid())
                    .start()
                    .waitFor();
            assertThat(child.isAlive()).isTrue();

            child.kill();
            assertThat(child.exitCode()).isEqualTo(128 + 9);
            assertThat(log()).doesNotContain("hook ran");
        }
    }

    @Test
    void tellsWhenItEndsHoweverItEnds() throws Exception {
        try (ChildProcess child = started()) {
            CompletableFuture<String> told = new CompletableFuture<>();
            child.whenEnded(() -> told.complete(child.ending()));
            assertThat(told).isNotDone();

            child.kill();

            assertThat(told.get(60, TimeUnit.SECONDS))
                    .isEqualTo("letter-box (pid %d) ended with code 137; its log is %s"
                            .formatted(child.pid(), dir.resolve("log")));
        }
    }

    private ChildProcess started() {
        ChildProcess child = start("wait");
        child.awaitReady("its first line", SOON, () -> log().contains("waiting"));
        return child;
    }

    private ChildProcess start(String what) {
        return ChildProcess.start(ChildSpec.of(
                "letter-box", LetterBox.class.getName(), List.of(what), ChildSpec.jvm(16, 32), dir.resolve("log")));
    }

    private String log() {
        try {
            return Files.readString(dir.resolve("log"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** What the children run. */
    public static final class LetterBox {
        private LetterBox() {}

        public static void main(String[] args) throws InterruptedException {
            if (args[0].equals("fail")) {
                throw new IllegalStateException("no letter today");
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook ran")));
            System.out.println("waiting");
            new CountDownLatch(1).await();
        }
    }
}
