package io.hellogpt.once.embedded.bench;

import java.time.Duration;

/**
 * How long to look. The quick form answers the same questions with fewer and shorter rounds, and smaller stores.
 *
 * @param full whether this is the long form
 * @param rounds of each side of a comparison, alternating
 * @param round how long the counted part of a round lasts, about
 */
record Scale(boolean full, int rounds, Duration round) {
    static final Scale QUICK = new Scale(false, 1, Duration.ofSeconds(8));
    static final Scale FULL = new Scale(true, 3, Duration.ofSeconds(20));

    int pick(int quick, int fullSize) {
        return full ? fullSize : quick;
    }
}
