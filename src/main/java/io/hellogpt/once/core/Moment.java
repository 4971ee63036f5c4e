package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;

/**
 * The two times a decision may depend on.
 *
 * @param now the task's wall clock; drives retries and deadlines
 * @param streamTime the partition's stream time, the highest append time of {@code requests} seen; drives the dedup window, so
 *     that neither an idle night nor a week of downtime forgets an id
 */
public record Moment(Instant now, Instant streamTime) {
    public Moment {
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(streamTime, "streamTime");
    }

    /**
     * When something that ends now has ended, in stream time. A quiet partition's stream time lags behind; counting from it would
     * close the dedup window too early. A clock that is ahead only keeps the id longer.
     */
    Instant endOfRequest() {
        return now.isAfter(streamTime) ? now : streamTime;
    }
}
