package io.hellogpt.once.topology;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * When a stream thread may commit early. A commit commits all tasks of the thread and holds all of them up, so it is the thread's time
 * that is spent, and only what would be idle is: idle time is saved up, work takes a part of the savings away, and a commit costs all
 * of them. A thread that has no idle time to speak of saves nothing, and leaves commits to {@code commit.interval.ms}.
 *
 * <p>What a commit costs is measured: it lies in the longest time between two looks since it was asked for. That time may also hold
 * waiting or work, so the least of the last few counts. Not safe for use by several threads.
 */
final class ThreadPace {
    private static final ThreadLocal<ThreadPace> OWN = ThreadLocal.withInitial(ThreadPace::new);
    private static final int REMEMBERED = 8;
    /** A commit needs savings of twice its cost: at most half of the idle time goes into commits. */
    private static final int PRICE = 2;
    /** A thread that works four times as long as it is idle saves nothing. */
    private static final int WORK_SHARE = 4;

    private final long[] costs = new long[REMEMBERED];
    private int next;
    private long lastAsked;
    private long lastLook;
    private long longestGap;
    private long worked;
    private long savings;
    private boolean shown;
    private boolean begun;

    /** The one of the thread that calls. */
    static ThreadPace ofThisThread() {
        return OWN.get();
    }

    /** Something was written that somebody outside waits for. */
    void show() {
        shown = true;
    }

    /** @param nanos a step has taken */
    void work(long nanos) {
        worked += nanos;
    }

    /**
     * Looks whether it is time.
     *
     * @param now nanoseconds, of the ticker
     * @param leastSpacingMs least time between two commits that are asked for
     * @return whether the caller must ask for a commit
     */
    boolean look(long now, long leastSpacingMs) {
        long passed = begun ? now - lastLook : TimeUnit.MILLISECONDS.toNanos(leastSpacingMs);
        lastAsked = begun ? lastAsked : now - passed;
        begun = true;
        lastLook = now;
        longestGap = Math.max(longestGap, passed);
        long price = PRICE * Arrays.stream(costs).min().orElse(0);
        savings = Math.clamp(savings + passed - worked - worked / WORK_SHARE, 0, price);
        worked = 0;
        if (!shown || savings < price || now - lastAsked < TimeUnit.MILLISECONDS.toNanos(leastSpacingMs)) {
            return false;
        }
        costs[next] = longestGap;
        next = (next + 1) % REMEMBERED;
        lastAsked = now;
        longestGap = 0;
        savings = 0;
        shown = false;
        return true;
    }
}
