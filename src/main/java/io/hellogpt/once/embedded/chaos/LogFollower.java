package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.EmbeddedException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads a file of lines as it grows. For one thread. */
final class LogFollower {
    private final Path file;
    private long read;

    /** @param file need not be there yet */
    LogFollower(Path file) {
        this.file = file;
    }

    /** The whole lines that have come since the last time. */
    List<String> next() {
        if (Files.notExists(file)) {
            return List.of();
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            byte[] fresh = new byte[(int) (in.length() - read)];
            in.seek(read);
            in.readFully(fresh);
            String text = new String(fresh, StandardCharsets.ISO_8859_1);
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            read += whole.length();
            return new String(whole.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new EmbeddedException("the log " + file + " could not be read", e);
        }
    }
}
