package io.hellogpt.once.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A real PostgreSQL server on loopback. Stopped or killed and started again, it keeps its port and its data. The user is {@value #USER},
 * without a password.
 */
public final class EmbeddedDatabase extends ChildPart {
    public static final String USER = "postgres";

    private static final Duration READY_TIMEOUT = Duration.ofSeconds(90);
    private static final long KILL_SECONDS = 10;

    private final Path data;
    private final Path log;
    private final Path workDir;
    private final int port = FreePorts.next();

    private EmbeddedDatabase(Path workDir) {
        this.workDir = workDir.resolve("database");
        this.data = this.workDir.resolve("data");
        this.log = workDir.resolve("logs").resolve("database.log");
    }

    /** A new database under a work directory; {@link #start} comes next. */
    public static EmbeddedDatabase create(Path workDir) {
        return new EmbeddedDatabase(workDir);
    }

    /** The JDBC URL, with the user in it. */
    @Override
    public String address() {
        return "jdbc:postgresql://127.0.0.1:%d/postgres?user=%s".formatted(port, USER);
    }

    @Override
    ChildSpec spec() {
        List<String> jvm = ChildSpec.jvm(16, 192, ChildFiles.loggingOption(workDir));
        return new ChildSpec(
                "database",
                DatabaseMain.class.getName(),
                List.of(data.toAbsolutePath().toString(), Integer.toString(port), binaries()),
                jvm,
                ChildSpec.ownClasspath(),
                log);
    }

    @Override
    public void start() {
        try {
            Files.createDirectories(data);
        } catch (IOException e) {
            throw new EmbeddedException("the database's directory " + data + " could not be made", e);
        }
        super.start();
    }

    @Override
    void awaitReady(ChildProcess child) {
        child.awaitReady("a connection on port " + port, READY_TIMEOUT, () -> Probes.accepts(port) && answers());
    }

    /** A server that did not stop in time goes the hard way: nobody else knows of it. */
    @Override
    public void stop() {
        Optional<ProcessHandle> server = server();
        super.stop();
        server.filter(ProcessHandle::isAlive).ifPresent(EmbeddedDatabase::killServer);
    }

    /** SIGKILL for the server, which its backends notice and follow, and for the process that holds it. */
    @Override
    public void kill() {
        Optional<ProcessHandle> server = server();
        super.kill();
        server.ifPresent(EmbeddedDatabase::killServer);
    }

    /** The server with every backend: each is a process of its own. */
    @Override
    public void pause() {
        server().ifPresent(server -> signal("STOP", server));
    }

    @Override
    public void resume() {
        server().ifPresent(server -> signal("CONT", server));
    }

    /** The parent first when stopping, so that none is forked behind our back. */
    private static void signal(String signal, ProcessHandle server) {
        Signals.send(signal, List.of(server.pid()));
        List<Long> backends = server.descendants().map(ProcessHandle::pid).toList();
        if (!backends.isEmpty()) {
            Signals.send(signal, backends);
        }
    }

    /** The server's own process, if it runs; its backends are its children. */
    public Optional<ProcessHandle> server() {
        try {
            String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst();
            return ProcessHandle.of(Long.parseLong(pid.strip())).filter(ProcessHandle::isAlive);
        } catch (IOException notRunning) {
            return Optional.empty();
        }
    }

    private static void killServer(ProcessHandle server) {
        server.destroyForcibly();
        try {
            server.onExit().get(KILL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new EmbeddedException("the database (pid %d) outlived SIGKILL".formatted(server.pid()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedException("interrupted while killing the database", e);
        }
    }

    /** Unpacking costs seconds, so the binaries stay for the next run. */
    private static String binaries() {
        return Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "hellogpt-once-postgres-" + System.getProperty("user.name"))
                .toString();
    }

    private boolean answers() {
        try (Connection connection = DriverManager.getConnection(address())) {
            return connection.isValid(1);
        } catch (SQLException notYet) {
            return false;
        }
    }
}
