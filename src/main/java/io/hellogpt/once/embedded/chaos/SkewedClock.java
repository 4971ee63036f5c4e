package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.EmbeddedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A clock of one process that can be set while it runs: the library libfaketime, put before the C library by the loader. Only the time
 * of day is faked; the monotonic clock, by which threads wait, goes on.
 */
final class SkewedClock {
    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/faketime/libfaketimeMT.so.1"));

    private final Path library;
    private final Path offset;

    private SkewedClock(Path library, Path offset) {
        this.library = library;
        this.offset = offset;
    }

    /** A clock that is right so far; empty where the library is not installed. */
    static Optional<SkewedClock> in(Path dir) {
        Optional<SkewedClock> clock = LIBRARIES.stream()
                .filter(Files::exists)
                .findFirst()
                .map(found -> new SkewedClock(found, dir.resolve("clock")));
        clock.ifPresent(right -> right.set(Duration.ZERO));
        return clock;
    }

    /** What a process needs in its environment to have this clock. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", offset.toAbsolutePath().toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "DONT_FAKE_MONOTONIC", "1",
                "NO_FAKE_STAT", "1",
                // Its own idea of the monotonic clock makes timed waits of a JVM return at once.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** Sets it this much ahead of the true time, or behind; the process sees it within a second. */
    void set(Duration ahead) {
        Path fresh = offset.resolveSibling("clock.next");
        try {
            Files.writeString(fresh, "%+d\n".formatted(ahead.toSeconds()));
            // Never half a file: the process may read at any moment.
            Files.move(fresh, offset, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new EmbeddedException("the clock in " + offset + " could not be set", e);
        }
    }
}
