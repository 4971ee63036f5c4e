package io.hellogpt.once.connect.http;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** The end of one call's time, shared by everything the call is made of. */
record Deadline(long endNanos) {
    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** @throws TimeoutException when nothing is left */
    Duration left() throws TimeoutException {
        long left = endNanos - System.nanoTime();
        if (left <= 0) {
            throw new TimeoutException("the call's time is up");
        }
        return Duration.ofNanos(left);
    }
}
