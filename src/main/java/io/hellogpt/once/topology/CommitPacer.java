package io.hellogpt.once.topology;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/**
 * Asks for a commit as soon as there is something to show, where its {@link ThreadPace thread} has the time; under load it stays quiet
 * and leaves the matter to {@code commit.interval.ms}, since each commit is a transaction and costs stream thread and brokers some
 * milliseconds. For the same reason what nobody waits for is left to it: that a request was taken in is committed with the next thing
 * that is shown.
 */
final class CommitPacer {
    private final ProcessingContext context;
    private final long leastSpacingMs;
    private final Supplier<ThreadPace> pace;
    private final LongSupplier nanos;

    CommitPacer(ProcessingContext context, Duration leastSpacing, Supplier<ThreadPace> pace, LongSupplier nanos) {
        this.context = context;
        this.leastSpacingMs = leastSpacing.toMillis();
        this.pace = pace;
        this.nanos = nanos;
    }

    /** @param shows whether somebody outside waits for what was written */
    void wrote(boolean shows) {
        if (shows) {
            pace.get().show();
        }
    }

    /** A step is over: what it wrote can be shown. */
    void stepped(long nanosTaken) {
        pace.get().work(nanosTaken);
        look();
    }

    /** To be called every now and then: what was written too soon after a commit is shown without a further step. */
    void look() {
        if (pace.get().look(nanos.getAsLong(), leastSpacingMs)) {
            context.commit();
        }
    }
}
