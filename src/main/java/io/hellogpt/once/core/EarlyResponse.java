package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Optional;

/**
 * What the journal said about a request that has not arrived (its intake was aborted and is being redone). It waits in the
 * store {@code early-responses}.
 */
public sealed interface EarlyResponse {
    RequestId id();

    /** Which request of that id; empty when a version before 0.2 wrote the record. */
    Optional<Life> life();

    /** When the entry is dropped if the request never arrives. */
    Instant expiresAt();

    /** A result is waiting. */
    record Result(JournalRecord.CallResult result, Instant expiresAt) implements EarlyResponse {
        @Override
        public RequestId id() {
            return result.id();
        }

        @Override
        public Optional<Life> life() {
            return Optional.of(result.life());
        }
    }

    /** Another live process still runs the call. */
    record Running(JournalRecord.RunningCall call, String instance, Instant expiresAt) implements EarlyResponse {
        @Override
        public RequestId id() {
            return call.id();
        }

        @Override
        public Optional<Life> life() {
            return call.life();
        }
    }
}
