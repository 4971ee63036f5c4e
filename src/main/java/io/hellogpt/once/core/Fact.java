package io.hellogpt.once.core;

import java.util.Objects;
import java.util.Optional;

/**
 * What a stage function decided. Facts are applied by one small applier, in order, within one transaction; only
 * {@link StartCall} and {@link CancelCall} reach outside it.
 */
public sealed interface Fact {

    /** The request is now in {@code next}; its timers are those of {@code next}. */
    record Save(Optional<RequestState> previous, RequestState next) implements Fact {
        public Save {
            Objects.requireNonNull(previous, "previous");
            Objects.requireNonNull(next, "next");
        }
    }

    /** The dedup window of an ended request has closed: state, snapshot and timer go. */
    record Forget(RequestState.Ended state) implements Fact {}

    /** The snapshot is recorded, in the store and on {@code snapshots}. Happens once per request. */
    record RecordSnapshot(Snapshot snapshot) implements Fact {}

    /** Something came for a request that is not known yet. */
    record Stash(EarlyResponse response) implements Fact {}

    /** A stashed response was used, or its time is over. */
    record Unstash(EarlyResponse response) implements Fact {}

    /** An attempt of an effect goes to the outbox. */
    record IssueEffect(Effect effect) implements Fact {}

    /** The terminal record on {@code committed-results}. */
    record Commit(CommittedResult result) implements Fact {}

    /** The terminal record on {@code failed-requests}. */
    record Fail(Failed state) implements Fact {}

    /** An answer on {@code duplicate-requests}. */
    record AnswerDuplicate(DuplicateRequest duplicate) implements Fact {}

    /** A record on {@code rejected-requests}; the applier adds the original bytes. */
    record Reject(Rejection rejection, SourcePosition source) implements Fact {}

    /** A line of the audit log. */
    record Log(LifecycleEvent event) implements Fact {}

    /** Start a model call. The caller has reserved the slot. */
    record StartCall(ModelCall call) implements Fact {}

    /** The answer of a running call is no longer wanted. */
    record CancelCall(RequestId id) implements Fact {}

    /** Something was read that changes nothing; it is counted by reason, never silently lost. */
    record Ignore(RequestId id, Reason reason) implements Fact {
        /** Why nothing changes. */
        public enum Reason {
            /** The same record read again after a restore. */
            RESUMED,
            /** An answer for a request that already has its snapshot. */
            LATE_ANSWER,
            /** An error of a call that is no longer the current one. */
            LATE_ERROR,
            /** A handover of a call that is no longer the current one. */
            LATE_HANDOVER,
            /** An outcome or callback for an effect that is already settled, or about an earlier attempt. */
            LATE_OUTCOME,
            /** A callback that was heard before, by its own id. */
            DUPLICATE_CALLBACK,
            /** A command that was heard before, by its own id. */
            DUPLICATE_COMMAND,
            /** An outcome for an effect that was never issued. */
            NEVER_ISSUED,
            /** An answer, an error or an outcome of an earlier life of the id, or of other content under it. */
            OTHER_LIFE,
            /** A record about a request that is not known. */
            UNKNOWN_REQUEST,
            /** A timer whose state has moved on. */
            STALE_TIMER
        }
    }
}
