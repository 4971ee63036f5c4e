package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The answer to a request that was seen before.
 *
 * @param source where the duplicate stands
 * @param known the state of the original
 * @param result the original's result, if it is committed, so that a caller that lost it gets it
 */
public record DuplicateRequest(
        SourcePosition source, Instant at, RequestState known, Optional<CommittedResult> result) {
    public DuplicateRequest {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(known, "known");
        Objects.requireNonNull(result, "result");
    }
}
