package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.EmbeddedException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file system in memory, small enough to be filled in a moment. Needs the right to mount. */
final class SmallDisk implements AutoCloseable {
    private static final int CHUNK = 256 * 1024;
    private static final String BALLAST = "ballast";

    private final Path point;

    private SmallDisk(Path point) {
        this.point = point;
    }

    /** Mounts one; empty where that is not allowed. */
    static Optional<SmallDisk> mount(Path point, int megabytes) {
        try {
            Files.createDirectories(point);
        } catch (IOException e) {
            throw new EmbeddedException("the directory " + point + " could not be made", e);
        }
        List<String> mount =
                List.of("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", point.toString());
        if (Commands.run(mount) != 0) {
            return Optional.empty();
        }
        // A run that is interrupted leaves nothing mounted either.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> release(point), "release-disk"));
        return Optional.of(new SmallDisk(point));
    }

    /** Takes away what a run that was killed has left mounted. */
    static void release(Path point) {
        if (Files.isDirectory(point)) {
            Commands.run(List.of("umount", "-l", point.toString()));
        }
    }

    Path path() {
        return point;
    }

    /** Writes until nothing more can be written. */
    void fill() {
        byte[] chunk = new byte[CHUNK];
        try (OutputStream out = Files.newOutputStream(point.resolve(BALLAST))) {
            while (true) {
                out.write(chunk);
            }
        } catch (IOException full) {
            // Which is what was wanted; the last page takes less than a chunk.
        }
    }

    boolean isFull() {
        return point.toFile().getUsableSpace() < CHUNK;
    }

    void free() {
        try {
            Files.deleteIfExists(point.resolve(BALLAST));
        } catch (IOException e) {
            throw new EmbeddedException("the space on " + point + " could not be freed", e);
        }
    }

    @Override
    public void close() {
        release(point);
    }
}
