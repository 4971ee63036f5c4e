package io.hellogpt.once.embedded;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/** Appends calls to a file, each flushed before its answer is sent, so that a killed process has logged every call it answered. */
final class SimulatedModelLog implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final BufferedWriter file;

    SimulatedModelLog(Path path) throws IOException {
        if (path.toAbsolutePath().getParent() != null) {
            Files.createDirectories(path.toAbsolutePath().getParent());
        }
        file = Files.newBufferedWriter(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    void append(SimulatedModelCall call) {
        lock.lock();
        try {
            file.write(call.toJson());
            file.write('\n');
            file.flush();
        } catch (IOException failed) {
            throw new UncheckedIOException("a call could not be logged", failed);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            file.close();
        } catch (IOException failed) {
            throw new UncheckedIOException("the log of calls could not be closed", failed);
        } finally {
            lock.unlock();
        }
    }
}
