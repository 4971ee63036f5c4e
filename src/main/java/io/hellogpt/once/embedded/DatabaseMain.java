package io.hellogpt.once.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Unpacks PostgreSQL, starts it, and stops it when standard input ends or this process is asked to end. PostgreSQL leaves its parent's
 * process group on purpose, so a process of our own has to outlive a killed parent just long enough to take it down.
 */
public final class DatabaseMain {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final String UNPACKED = ".exists";

    private DatabaseMain() {}

    /** @param args data directory, port, directory that keeps the unpacked binaries from one run to the next */
    public static void main(String[] args) throws IOException {
        Path binaries = Files.createDirectories(Path.of(args[2]));
        // Zonky's own shutdown hook stops the server at SIGTERM.
        try (EmbeddedPostgres server = start(Path.of(args[0]), Integer.parseInt(args[1]), binaries)) {
            System.out.println("database ready port=" + server.getPort());
            while (System.in.read() >= 0) {
                // The parent writes nothing; whatever arrives means that it lives.
            }
        }
    }

    private static EmbeddedPostgres start(Path data, int port, Path binaries) throws IOException {
        try (FileChannel channel =
                FileChannel.open(binaries.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // Held until the channel is closed.
            channel.lock();
            removeHalfUnpacked(binaries);
            return EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setOverrideWorkingDirectory(binaries.toFile())
                    .setPort(port)
                    .setPGStartupWait(START_TIMEOUT)
                    // The library trades durability for speed. What PostgreSQL said is committed must survive its own
                    // SIGKILL
                    // here; only a power failure is out of scope, so fsync stays off.
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("fsync", "off")
                    .setServerConfig("max_connections", "100")
                    .setServerConfig("shared_buffers", "64MB")
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .start();
        }
    }

    /** The library cannot resume an unpacking that was interrupted: it stumbles over the files that are there already. */
    private static void removeHalfUnpacked(Path binaries) throws IOException {
        try (DirectoryStream<Path> versions = Files.newDirectoryStream(binaries, "PG-*")) {
            for (Path version : versions) {
                if (Files.notExists(version.resolve(UNPACKED))) {
                    delete(version);
                }
            }
        }
    }

    private static void delete(Path tree) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> paths = Files.walk(tree)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.delete(path);
        }
    }
}
