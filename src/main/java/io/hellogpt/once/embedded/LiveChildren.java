package io.hellogpt.once.embedded;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Every child process of this JVM that may still be alive. When the JVM ends in an orderly way, Ctrl-C included, they are ended in
 * reverse order of their start: an application drains while its broker is still there.
 */
final class LiveChildren {
    private static final Deque<ChildProcess> CHILDREN = new ArrayDeque<>();
    private static boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(LiveChildren::endAll, "end-children"));
    }

    private LiveChildren() {}

    /**
     * Takes responsibility for a child.
     *
     * @throws EmbeddedException if this JVM is already ending; the child has been killed then
     */
    static void add(ChildProcess child) {
        synchronized (CHILDREN) {
            if (!ending) {
                CHILDREN.push(child);
                return;
            }
        }
        child.kill();
        throw new EmbeddedException(child.name() + " was not started: this process is ending");
    }

    static void remove(ChildProcess child) {
        synchronized (CHILDREN) {
            CHILDREN.remove(child);
        }
    }

    /** Whether this JVM is ending; failures of children are expected from then on. */
    static boolean isEnding() {
        synchronized (CHILDREN) {
            return ending;
        }
    }

    private static void endAll() {
        synchronized (CHILDREN) {
            ending = true;
        }
        for (ChildProcess child = next(); child != null; child = next()) {
            child.stop(ChildProcess.STOP_TIMEOUT);
        }
    }

    private static ChildProcess next() {
        synchronized (CHILDREN) {
            return CHILDREN.poll();
        }
    }
}
