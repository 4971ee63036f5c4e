package io.hellogpt.once.replay.capture;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is to be captured.
 *
 * @param from steps taken from then on; empty for all that are still there
 * @param to steps taken before then; empty for all that are there when the capture begins
 * @param ids only these requests; empty for all
 * @param out the file to make
 */
public record CaptureRequest(Optional<Instant> from, Optional<Instant> to, Set<String> ids, Path out) {
    public CaptureRequest {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(out, "out");
        ids = Set.copyOf(ids);
    }

    /** What an interrupted capture is told from another one by. */
    String identity() {
        return "from=%s to=%s ids=%s"
                .formatted(
                        from.map(Instant::toString).orElse(""),
                        to.map(Instant::toString).orElse(""),
                        new TreeSet<>(ids));
    }

    /** Where the capture keeps what it has read until the file is whole. */
    public Path workDirectory() {
        return out.resolveSibling(out.getFileName() + ".part");
    }
}
