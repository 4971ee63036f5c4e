package io.hellogpt.once.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a child JVM. It ends when it is stopped or killed, when this JVM ends, and when this JVM is killed. Safe for use by
 * several threads.
 */
public final class ChildProcess implements AutoCloseable {
    static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(ChildProcess.class);
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 25;
    private static final int TAIL_LINES = 25;

    private final ChildSpec spec;
    private final Process process;

    private ChildProcess(ChildSpec spec, Process process) {
        this.spec = spec;
        this.process = process;
    }

    /** Starts a child; returns before it is ready, see {@link #awaitReady}. */
    public static ChildProcess start(ChildSpec spec) {
        try {
            Files.createDirectories(spec.log().toAbsolutePath().getParent());
            ProcessBuilder builder = new ProcessBuilder(spec.command())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(spec.log().toFile()));
            // In the environment rather than on the command line, which stays readable in ps.
            builder.environment().put("CLASSPATH", spec.classpath());
            builder.environment().putAll(spec.environment());
            ChildProcess child = new ChildProcess(spec, builder.start());
            LiveChildren.add(child);
            log.info("child started name={} pid={} log={}", spec.name(), child.pid(), spec.log());
            return child;
        } catch (IOException e) {
            throw new EmbeddedException(spec.name() + " could not be started: " + e.getMessage(), e);
        }
    }

    public String name() {
        return spec.name();
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill() {
        process.destroyForcibly();
        if (!awaitExit(KILL_TIMEOUT)) {
            throw new EmbeddedException("%s (pid %d) outlived SIGKILL by %s".formatted(name(), pid(), KILL_TIMEOUT));
        }
    }

    /**
     * SIGTERM; returns at once. Not {@link Process#destroy()}, which also closes the pipe that {@link ChildMain} watches and so cuts an
     * orderly stop short.
     */
    public void terminate() {
        process.toHandle().destroy();
    }

    /**
     * SIGTERM, and SIGKILL for a child that has not ended in time.
     *
     * @return whether it ended by itself
     */
    public boolean stop(Duration timeout) {
        terminate();
        if (awaitExit(timeout)) {
            return true;
        }
        log.warn("child did not stop in time and is killed name={} pid={} timeout={}", name(), pid(), timeout);
        kill();
        return false;
    }

    /** SIGSTOP: the process stays, and does nothing. */
    public void pause() {
        Signals.send("STOP", List.of(pid()));
    }

    /** SIGCONT: the process goes on as if nothing had been. */
    public void resume() {
        Signals.send("CONT", List.of(pid()));
    }

    /** Runs {@code then} once, on a thread of its own, when the process ends, however it ends; at once if it has. */
    void whenEnded(Runnable then) {
        process.onExit().thenRun(then);
    }

    /** @return whether the process ended within {@code timeout} */
    public boolean awaitExit(Duration timeout) {
        boolean exited = waitFor(timeout.toMillis());
        if (exited) {
            LiveChildren.remove(this);
        }
        return exited;
    }

    /** The exit code of a process that has ended; 128 + n for signal n. */
    public int exitCode() {
        return process.exitValue();
    }

    /** How a process that has ended did so, for people. */
    String ending() {
        return "%s (pid %d) ended with code %d; its log is %s".formatted(name(), pid(), exitCode(), spec.log());
    }

    /**
     * Waits until a probe succeeds.
     *
     * @param what is waited for, in words that complete "waiting for"
     * @throws EmbeddedException if the child ends or the time is up before; the message ends with the last lines of its log
     */
    public void awaitReady(String what, Duration timeout, BooleanSupplier probe) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!probe.getAsBoolean()) {
            if (waitFor(POLL_MILLIS)) {
                awaitExit(Duration.ZERO);
                throw failure("ended with code %d while waiting for %s".formatted(process.exitValue(), what));
            }
            if (System.nanoTime() > deadline) {
                throw failure("is not ready: waited %s for %s".formatted(timeout, what));
            }
        }
    }

    /** Closes this JVM's end of the child's standard input: what the kernel does when this JVM is killed. */
    void releaseInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new EmbeddedException("the standard input of " + name() + " could not be closed", e);
        }
    }

    @Override
    public void close() {
        stop(STOP_TIMEOUT);
    }

    private boolean waitFor(long millis) {
        try {
            return process.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedException("interrupted while waiting for " + name(), e);
        }
    }

    private EmbeddedException failure(String what) {
        return new EmbeddedException("%s (pid %d) %s. Its log %s ends with:%n%s"
                .formatted(name(), pid(), what, spec.log(), tail(spec.log())));
    }

    private static String tail(Path file) {
        try {
            List<String> lines =
                    Files.readString(file, StandardCharsets.UTF_8).lines().toList();
            return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()).stream()
                    .collect(Collectors.joining(System.lineSeparator() + "  ", "  ", ""));
        } catch (IOException e) {
            return "  (not readable: " + e.getMessage() + ")";
        }
    }

    @Override
    public String toString() {
        return name() + "[pid=" + pid() + "]";
    }
}
