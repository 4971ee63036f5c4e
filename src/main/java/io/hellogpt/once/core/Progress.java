package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * How far one effect, or one compensation, has come.
 *
 * @param attempt the last attempt issued, 0 before the first
 * @param dueAt when the next attempt is issued, or when the outcome of the last one is overdue
 * @param detail what the last outcome said
 * @param reference the receiver's own id of what it did
 * @param inDoubt an attempt may have been carried out although the last outcome only says to try again
 */
public record Progress(
        Status status,
        int attempt,
        Optional<Instant> dueAt,
        Optional<String> detail,
        Optional<String> reference,
        boolean inDoubt) {
    static final Progress WAITING =
            new Progress(Status.WAITING, 0, Optional.empty(), Optional.empty(), Optional.empty(), false);

    public Progress {
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(dueAt, "dueAt");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(reference, "reference");
    }

    Progress issued(Instant overdueAt) {
        return new Progress(Status.ISSUED, attempt + 1, Optional.of(overdueAt), detail, reference, inDoubt);
    }

    /** The same attempt once more, because its outcome is overdue; the ledger makes that safe. */
    Progress issuedAgain(Instant overdueAt) {
        return new Progress(Status.ISSUED, attempt, Optional.of(overdueAt), detail, reference, inDoubt);
    }

    /** A person asks for another attempt; it is due at once. */
    Progress anotherAttempt(Instant due) {
        return new Progress(Status.RETRYING, attempt, Optional.of(due), detail, reference, inDoubt);
    }

    Progress retrying(Instant due, String why, boolean doubt) {
        return new Progress(Status.RETRYING, attempt, Optional.of(due), Optional.of(why), reference, doubt);
    }

    Progress rescheduled(UnaryOperator<Instant> when) {
        return new Progress(status, attempt, dueAt.map(when), detail, reference, inDoubt);
    }

    Progress awaitingCallback(Instant deadline, String why) {
        return new Progress(
                Status.AWAITING_CALLBACK, attempt, Optional.of(deadline), Optional.of(why), reference, inDoubt);
    }

    Progress settled(Status end, String why, Optional<String> receiversId) {
        return new Progress(end, attempt, Optional.empty(), Optional.of(why), receiversId.or(() -> reference), false);
    }

    /** No outcome is to be expected any more. */
    boolean isSettled() {
        return switch (status) {
            case SUCCEEDED, FAILED, UNKNOWN, SKIPPED -> true;
            case WAITING, ISSUED, RETRYING, AWAITING_CALLBACK -> false;
        };
    }

    /** Done as far as the next stage is concerned. */
    boolean isPassed() {
        return status == Status.SUCCEEDED || status == Status.SKIPPED;
    }

    /** An attempt is out in the world, or may be and will be asked about again. */
    boolean isOut() {
        return switch (status) {
            case ISSUED, AWAITING_CALLBACK -> true;
            case RETRYING -> inDoubt;
            case WAITING, SUCCEEDED, FAILED, UNKNOWN, SKIPPED -> false;
        };
    }

    /** The kinds of progress. */
    public enum Status {
        /** Not issued yet. */
        WAITING,
        /** An attempt is in the outbox or with the receiver. */
        ISSUED,
        /** The last attempt failed; another one is due. */
        RETRYING,
        /** The receiver took it and will call back. */
        AWAITING_CALLBACK,
        SUCCEEDED,
        FAILED,
        /** It cannot be known whether it was carried out. */
        UNKNOWN,
        /** A person decided to go on without it. */
        SKIPPED
    }
}
