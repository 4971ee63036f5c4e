package io.hellogpt.once.ops;

import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened while something is put together, so that it can be closed when that fails halfway. */
final class Opened {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /** Closes all, the last one first; what fails in doing so is added to {@code failure}, which the caller throws. */
    void closeAfter(RuntimeException failure) {
        while (!parts.isEmpty()) {
            close(parts.pop(), failure);
        }
    }

    /** Whatever a part throws, the others are to be closed too. */
    private static void close(AutoCloseable part, RuntimeException failure) {
        try {
            part.close();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            failure.addSuppressed(hurried);
        } catch (Exception alsoFailed) {
            failure.addSuppressed(alsoFailed);
        }
    }
}
