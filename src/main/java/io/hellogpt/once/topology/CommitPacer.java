package io.hellogpt.once.topology;

import java.time.Duration;
import java.util.Arrays;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/**
 * Asks for a commit as soon as there is something to show, at low load; under load it stays quiet and leaves the matter to {@code
 * commit.interval.ms}, since each commit is a transaction and costs stream thread and brokers some milliseconds. For the same reason what
 * nobody waits for is left to it: that a request was taken in is committed with the next thing that is shown.
 *
 * <p>What a commit costs is measured: it lies in the longest time between two looks since it was asked for. That time may also
 * hold idle waiting, so the least of the last few counts. Commits are spaced so that no more than about half of the time goes
 * into them; a broker that is overloaded thereby gets fewer, not more.
 */
final class CommitPacer {
    private static final int LOADED = 50;
    private static final int REMEMBERED = 8;
    private static final int SHARE = 2;

    private final ProcessingContext context;
    private final long leastSpacingMs;
    private final Cancellable look;
    private final long[] costs = new long[REMEMBERED];
    private int asked;
    private long lastAsked;
    private long lastLook;
    private long longestGap;
    private int writesSince;
    private boolean shown;

    CommitPacer(ProcessingContext context, Duration leastSpacing) {
        this.context = context;
        this.leastSpacingMs = leastSpacing.toMillis();
        this.lastLook = context.currentSystemTimeMs();
        this.look = context.schedule(leastSpacing, PunctuationType.WALL_CLOCK_TIME, this::look);
    }

    /** A revived task makes a new pacer; the old one's punctuation must not go on beside it. */
    void close() {
        look.cancel();
    }

    /** @param shows whether somebody outside waits for what was written */
    void wrote(boolean shows) {
        writesSince++;
        shown |= shows;
        look(context.currentSystemTimeMs());
    }

    private void look(long now) {
        longestGap = Math.max(longestGap, now - lastLook);
        lastLook = now;
        if (!shown || now - lastAsked < spacing()) {
            return;
        }
        if (writesSince < LOADED) {
            costs[asked++ % REMEMBERED] = longestGap;
            context.commit();
        }
        lastAsked = now;
        longestGap = 0;
        writesSince = 0;
        shown = false;
    }

    private long spacing() {
        return Math.max(leastSpacingMs, SHARE * Arrays.stream(costs).min().orElse(0));
    }
}
