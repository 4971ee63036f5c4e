package io.hellogpt.once.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Unpacks PostgreSQL, starts it, and stops it when standard input ends or this process is asked to end. PostgreSQL leaves its parent's
 * process group on purpose, so a process of our own has to outlive a killed parent just long enough to take it down.
 */
public final class DatabaseMain {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private DatabaseMain() {}

    /** @param args data directory, port */
    public static void main(String[] args) throws IOException {
        // Zonky's own shutdown hook stops the server at SIGTERM.
        try (EmbeddedPostgres server = start(Path.of(args[0]), Integer.parseInt(args[1]))) {
            System.out.println("database ready port=" + server.getPort());
            while (System.in.read() >= 0) {
                // The parent writes nothing; whatever arrives means that it lives.
            }
        }
    }

    private static EmbeddedPostgres start(Path data, int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .setPGStartupWait(START_TIMEOUT)
                // The library trades durability for speed. What PostgreSQL said is committed must survive its own SIGKILL here;
                // only a power failure is out of scope, so fsync stays off.
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("fsync", "off")
                .setServerConfig("max_connections", "100")
                .setServerConfig("shared_buffers", "64MB")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .start();
    }
}
