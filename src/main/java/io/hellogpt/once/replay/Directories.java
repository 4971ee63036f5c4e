package io.hellogpt.once.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes directories. */
final class Directories {
    private Directories() {}

    static void delete(Path directory) throws IOException {
        List<Path> found;
        try (Stream<Path> all = Files.walk(directory)) {
            found = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : found) {
            Files.deleteIfExists(path);
        }
    }
}
