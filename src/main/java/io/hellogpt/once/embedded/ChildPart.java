package io.hellogpt.once.embedded;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** A part that is one child JVM. Start, stop and kill are for one thread at a time; the rest is safe for several. */
public abstract class ChildPart implements EmbeddedPart {
    private volatile ChildProcess process;

    /** Only what this package knows how to start is a part. */
    ChildPart() {}

    /** What to run, also when it is started again. */
    abstract ChildSpec spec();

    /** Waits until the child can be used. */
    abstract void awaitReady(ChildProcess child);

    @Override
    public final String name() {
        return spec().name();
    }

    @Override
    public void start() {
        launch();
        ChildProcess child = process;
        try {
            awaitReady(child);
        } catch (RuntimeException e) {
            child.kill();
            throw e;
        }
    }

    /** Starts it and returns before it is ready, for a world in which what it needs may be away. */
    public void launch() {
        if (isAlive()) {
            throw new EmbeddedException(name() + " is running already");
        }
        process = ChildProcess.start(spec());
    }

    /**
     * Waits until it can be used.
     *
     * @throws EmbeddedException if it is not running, ends meanwhile, or is not ready in time
     */
    public void awaitReady() {
        awaitReady(child().orElseThrow(() -> new EmbeddedException(name() + " is not running")));
    }

    /** SIGSTOP: it stays, and does nothing. */
    public void pause() {
        child().ifPresent(ChildProcess::pause);
    }

    /** SIGCONT: it goes on as if nothing had been. */
    public void resume() {
        child().ifPresent(ChildProcess::resume);
    }

    @Override
    public void stop() {
        child().ifPresent(child -> child.stop(stopTimeout()));
    }

    @Override
    public void kill() {
        child().ifPresent(ChildProcess::kill);
    }

    @Override
    public boolean isAlive() {
        return child().isPresent();
    }

    /** The process, if it lives; to pause it, or to ask for its id. */
    public Optional<ChildProcess> child() {
        return Optional.ofNullable(process).filter(ChildProcess::isAlive);
    }

    /** How the last process ended, if it has; 128 + n for signal n. */
    public OptionalInt exitCode() {
        ChildProcess last = process;
        return last == null || last.isAlive() ? OptionalInt.empty() : OptionalInt.of(last.exitCode());
    }

    Duration stopTimeout() {
        return ChildProcess.STOP_TIMEOUT;
    }
}
