package io.hellogpt.once.api;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import java.util.List;
import java.util.Optional;

/** Finds what is recorded about a request, committed writes only. Safe for use by several threads. */
public interface RequestLookup {
    /** Looks in the store of this instance, or names the one that has it. */
    Found find(RequestId id);

    /** What a standby here, or a store that is still being restored, knows; it may lag behind. */
    Optional<Known> stale(RequestId id);

    /** Other instances with a standby of the request's partition. */
    List<Peer> standbys(RequestId id);

    /** All other instances that are known of; one that has just died may still be among them. */
    List<Peer> others();

    /** What came of it. */
    sealed interface Found {}

    /** @param snapshot the recorded answer, once there is one */
    record Known(RequestState state, Optional<Snapshot> snapshot) implements Found {}

    /** The request's partition belongs to another instance. */
    record Elsewhere(Peer owner) implements Found {}

    /** Here is its partition, and it is not known: never accepted, or forgotten after the dedup window. */
    record Unknown() implements Found {}

    /** Nobody can answer now, e.g. while partitions move or a store is restored. */
    record Unavailable(String reason) implements Found {}

    /** Another instance of the application, as it tells the others where it is. */
    record Peer(String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }
}
