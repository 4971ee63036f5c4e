package io.hellogpt.once.replay;

import java.util.List;

/**
 * What a replay found.
 *
 * @param steps steps taken
 * @param requests requests that were accepted in it
 * @param equal output records equal in every field
 * @param outside recorded outputs of steps that are not in the capture, behind its end or before its span
 * @param leftOut requests that are not whole in the capture and were not replayed
 * @param whatIf the replay was asked to differ
 * @param divergences every difference, in the order in which they were found
 * @param changes requests about which it decided otherwise
 * @param millis how long it took
 */
public record ReplayReport(
        String capture,
        long steps,
        long requests,
        long equal,
        long outside,
        int leftOut,
        boolean whatIf,
        List<Divergence> divergences,
        List<Change> changes,
        long millis) {
    public ReplayReport {
        divergences = List.copyOf(divergences);
        changes = List.copyOf(changes);
    }

    public boolean isEqual() {
        return divergences.isEmpty();
    }

    /** Requests a minute. */
    public long speed() {
        return requests * 60_000 / Math.max(1, millis);
    }
}
