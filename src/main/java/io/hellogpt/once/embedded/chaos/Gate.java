package io.hellogpt.once.embedded.chaos;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What every chunk of bytes and every new connection has to pass. Safe for use by many threads. */
final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicLong held = new AtomicLong();
    private boolean open = true;
    private Duration delay = Duration.ZERO;

    /** Nothing passes until {@link #restore}. */
    void cut() {
        set(false, Duration.ZERO);
    }

    /** Everything passes so much later. */
    void delay(Duration by) {
        set(true, by);
    }

    void restore() {
        set(true, Duration.ZERO);
    }

    /** How many chunks and connections have been held up so far. */
    long held() {
        return held.get();
    }

    /** Returns when the way is free and the delay is over. */
    void pass() throws InterruptedException {
        Duration wait = awaitOpen();
        if (wait.isPositive()) {
            TimeUnit.NANOSECONDS.sleep(wait.toNanos());
            // It may have been closed meanwhile.
            awaitOpen();
        }
    }

    private Duration awaitOpen() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!open || delay.isPositive()) {
                held.incrementAndGet();
            }
            while (!open) {
                changed.await();
            }
            return delay;
        } finally {
            lock.unlock();
        }
    }

    private void set(boolean isOpen, Duration by) {
        lock.lock();
        try {
            open = isOpen;
            delay = by;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
