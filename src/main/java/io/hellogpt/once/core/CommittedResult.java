package io.hellogpt.once.core;

import java.util.Objects;

/** The terminal record of a request that took effect: its state and the one answer everything derived from. */
public record CommittedResult(Committed state, Snapshot snapshot) {
    public CommittedResult {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(snapshot, "snapshot");
    }
}
