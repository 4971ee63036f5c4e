package io.hellogpt.once.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts a thread that waits too long for a client. On a virtual thread that closes the socket it waits on, so that a client that
 * sends a byte now and then, or never reads, does not hold a thread and its memory for ever.
 */
final class Watchdog implements AutoCloseable {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("http-watchdog").factory());

    /** Watches the current thread until the guard is closed. */
    Guard guard(Duration patience) {
        Guard guard = new Guard(Thread.currentThread());
        guard.alarm = timer.schedule(guard::fire, patience.toMillis(), TimeUnit.MILLISECONDS);
        return guard;
    }

    /**
     * Sends, and no longer than that.
     *
     * @throws UncheckedIOException when the client is gone or takes nothing
     */
    void within(Duration patience, Sending sending) {
        Guard guard = guard(patience);
        try {
            sending.send();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        } finally {
            guard.close();
        }
    }

    /** Something that waits for a client. */
    interface Sending {
        void send() throws IOException;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** One watch over one thread. */
    static final class Guard {
        private final Thread watched;
        private volatile Future<?> alarm;
        private boolean over;

        private Guard(Thread watched) {
            this.watched = watched;
        }

        private synchronized void fire() {
            if (!over) {
                over = true;
                watched.interrupt();
            }
        }

        /** Synchronized with the alarm: after this the thread is not interrupted any more. */
        synchronized void close() {
            over = true;
            alarm.cancel(false);
        }
    }
}
