package io.hellogpt.once.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system of a given size, in memory, mounted where it is needed. Only root may mount. */
final class SmallDisk implements AutoCloseable {
    private final Path directory;

    private SmallDisk(Path directory) {
        this.directory = directory;
    }

    /** Whether this process may mount one here. */
    static boolean isPossible(Path directory) {
        try (SmallDisk disk = mount(directory, 1)) {
            return Files.isDirectory(disk.directory);
        } catch (IOException refused) {
            return false;
        }
    }

    static SmallDisk mount(Path directory, int megabytes) throws IOException {
        Files.createDirectories(directory);
        run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", directory.toString());
        return new SmallDisk(directory);
    }

    void resize(int megabytes) throws IOException {
        run("mount", "-o", "remount,size=" + megabytes + "m", directory.toString());
    }

    @Override
    public void close() throws IOException {
        run("umount", directory.toString());
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        if (exitCode(process) != 0) {
            throw new IOException(String.join(" ", List.of(command)) + ": " + said);
        }
    }

    private static int exitCode(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while mounting", stopping);
        }
    }
}
