package io.hellogpt.once.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory everything of one stack lives in: emptied when a stack takes it, locked while the stack lives, kept afterwards so that
 * the logs can be read.
 */
public final class StackDirectory implements AutoCloseable {
    /** Proof that the directory is ours to empty; its lock says that a stack lives there. */
    private static final String MARK = "once-stack.lock";

    private final Path path;
    private final FileChannel mark;

    private StackDirectory(Path path, FileChannel mark) {
        this.path = path;
        this.mark = mark;
    }

    /**
     * Takes a directory.
     *
     * @throws EmbeddedException if another stack lives there, or it holds files no stack has left there
     */
    public static StackDirectory take(Path path) {
        try {
            Files.createDirectories(path);
            requireOurs(path);
            FileChannel mark =
                    FileChannel.open(path.resolve(MARK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!lock(mark)) {
                mark.close();
                throw new EmbeddedException(
                        "another stack lives in " + path + "; stop it, or choose another directory with --dir");
            }
            empty(path);
            return new StackDirectory(path.toAbsolutePath(), mark);
        } catch (IOException e) {
            throw new EmbeddedException("the directory " + path + " could not be prepared: " + e.getMessage(), e);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            mark.close();
        } catch (IOException e) {
            throw new EmbeddedException("the lock of " + path + " could not be released", e);
        }
    }

    private static void requireOurs(Path path) throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            if (entries.findAny().isPresent() && Files.notExists(path.resolve(MARK))) {
                throw new EmbeddedException(path + " holds files that are no stack's, and a stack empties its directory"
                        + " at the start; choose another one with --dir");
            }
        }
    }

    private static boolean lock(FileChannel mark) throws IOException {
        try {
            FileLock lock = mark.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException ownStack) {
            return false;
        }
    }

    private static void empty(Path path) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(path)) {
            deepestFirst = all.sorted(Comparator.reverseOrder())
                    .filter(file -> !file.equals(path) && !file.equals(path.resolve(MARK)))
                    .toList();
        }
        for (Path file : deepestFirst) {
            Files.delete(file);
        }
    }
}
