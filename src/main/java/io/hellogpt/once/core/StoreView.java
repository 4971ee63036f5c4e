package io.hellogpt.once.core;

import java.util.Optional;

/** What a stage function may read. */
public interface StoreView {
    Optional<RequestState> state(RequestId id);

    Optional<Snapshot> snapshot(RequestId id);

    Optional<EarlyResponse> early(RequestId id);
}
