package io.hellogpt.once.model;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.ModelCall;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Holds any client to the call's deadline by interrupting it: a client that hangs must not keep its slot for ever. Clients that
 * watch the deadline themselves are given a moment more, so that their own, better message is the one recorded.
 */
final class DeadlineClient implements ModelClient {
    private static final Duration GRACE = Duration.ofMillis(500);

    private final ModelClient client;
    private final Clock clock;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("model-deadlines").factory());

    DeadlineClient(ModelClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    @Override
    public Answer complete(ModelCall call) throws ModelCallException, InterruptedException {
        Alarm alarm = new Alarm(Thread.currentThread());
        Duration left = Duration.between(clock.instant(), call.deadline()).plus(GRACE);
        Future<?> scheduled = watch.schedule(alarm::ring, left.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return client.complete(call);
        } catch (InterruptedException interrupted) {
            if (alarm.rang()) {
                throw ModelCallException.retryable(
                        "the model client did not end by the call's deadline", Optional.empty());
            }
            throw interrupted;
        } finally {
            scheduled.cancel(false);
            alarm.disarm();
        }
    }

    @Override
    public void close() {
        watch.shutdownNow();
        client.close();
    }

    /** Interrupts once, and never after it was disarmed: by then the thread does something else. */
    private static final class Alarm {
        private final ReentrantLock lock = new ReentrantLock();
        private final Thread caller;
        private boolean armed = true;
        private boolean rang;

        Alarm(Thread caller) {
            this.caller = caller;
        }

        void ring() {
            lock.lock();
            try {
                if (armed) {
                    rang = true;
                    caller.interrupt();
                }
            } finally {
                lock.unlock();
            }
        }

        boolean rang() {
            lock.lock();
            try {
                return rang;
            } finally {
                lock.unlock();
            }
        }

        void disarm() {
            lock.lock();
            try {
                armed = false;
            } finally {
                lock.unlock();
            }
        }
    }
}
