package io.hellogpt.once.core;

import java.time.Instant;

/**
 * What the journal said about a request that has not arrived (its intake was aborted and is being redone). It waits in the
 * store {@code early-responses}.
 */
public sealed interface EarlyResponse {
    RequestId id();

    /** When the entry is dropped if the request never arrives. */
    Instant expiresAt();

    /** A result is waiting. */
    record Result(JournalRecord.CallResult result, Instant expiresAt) implements EarlyResponse {
        @Override
        public RequestId id() {
            return result.id();
        }
    }

    /** Another live process still runs the call. */
    record Running(JournalRecord.RunningCall call, String instance, Instant expiresAt) implements EarlyResponse {
        @Override
        public RequestId id() {
            return call.id();
        }
    }
}
