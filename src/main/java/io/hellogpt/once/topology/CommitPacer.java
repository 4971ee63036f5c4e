package io.hellogpt.once.topology;

import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/**
 * Asks for a commit as soon as there is something to show, at low load; under load it stays quiet and leaves the matter to {@code
 * commit.interval.ms}, since each commit is a transaction and costs the stream thread some milliseconds.
 */
final class CommitPacer {
    private static final int LOADED = 50;

    private final ProcessingContext context;
    private final long spacingMs;
    private final Cancellable look;
    private long lastAsked;
    private int writesSince;

    CommitPacer(ProcessingContext context, Duration spacing) {
        this.context = context;
        this.spacingMs = spacing.toMillis();
        this.look = context.schedule(spacing, PunctuationType.WALL_CLOCK_TIME, this::look);
    }

    /** A revived task makes a new pacer; the old one's punctuation must not go on beside it. */
    void close() {
        look.cancel();
    }

    void wrote() {
        writesSince++;
        look(context.currentSystemTimeMs());
    }

    private void look(long now) {
        if (writesSince == 0 || now - lastAsked < spacingMs) {
            return;
        }
        if (writesSince < LOADED) {
            context.commit();
        }
        lastAsked = now;
        writesSince = 0;
    }
}
