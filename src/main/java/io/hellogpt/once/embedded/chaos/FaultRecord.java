package io.hellogpt.once.embedded.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What became of one fault.
 *
 * @param hit it has hit what it was aimed at
 * @param healed when it was over, if it was
 * @param recovered when what was hit could be used again and the system had ended another request
 * @param note what went otherwise than meant
 */
record FaultRecord(
        int number,
        FaultType type,
        String target,
        Instant injected,
        Optional<Instant> healed,
        Optional<Instant> recovered,
        boolean hit,
        String note) {
    /** From the end of the fault to the end of its consequences. */
    Optional<Duration> recovery() {
        return healed.flatMap(from -> recovered.map(to -> Duration.between(from, to)));
    }
}
