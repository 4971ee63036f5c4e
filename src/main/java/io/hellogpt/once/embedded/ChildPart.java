package io.hellogpt.once.embedded;

import java.time.Duration;
import java.util.Optional;

/** A part that is one child JVM. Start, stop and kill are for one thread at a time; the rest is safe for several. */
abstract class ChildPart implements EmbeddedPart {
    private volatile ChildProcess process;

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
        if (isAlive()) {
            throw new EmbeddedException(name() + " is running already");
        }
        ChildProcess child = ChildProcess.start(spec());
        process = child;
        try {
            awaitReady(child);
        } catch (RuntimeException e) {
            child.kill();
            throw e;
        }
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

    Duration stopTimeout() {
        return ChildProcess.STOP_TIMEOUT;
    }
}
