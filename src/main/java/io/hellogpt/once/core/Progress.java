package io.hellogpt.once.core;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * How far one effect, or one compensation, has come.
 *
 * @param dueAt when the next attempt is issued, or when the outcome of the last one is overdue
 * @param detail what the last outcome said
 * @param reference the receiver's own id of what it did
 * @param callbacks ids of the last callbacks heard of, oldest first; at most {@link #CALLBACKS_KEPT}
 */
public record Progress(
        Status status,
        Attempts attempts,
        Optional<Instant> dueAt,
        Optional<String> detail,
        Optional<String> reference,
        List<String> callbacks) {
    /** How many ids of callbacks are remembered, so that one that is told again is not noted again. */
    static final int CALLBACKS_KEPT = 8;

    /** So much of a detail is kept when there is no room for more. */
    private static final int BRIEF = 100;

    static final Progress WAITING = new Progress(
            Status.WAITING, Attempts.NONE, Optional.empty(), Optional.empty(), Optional.empty(), List.of());

    public Progress {
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(attempts, "attempts");
        Objects.requireNonNull(dueAt, "dueAt");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(reference, "reference");
        callbacks = List.copyOf(callbacks);
    }

    /** The last attempt issued, 0 before the first. */
    public int attempt() {
        return attempts.last();
    }

    boolean inDoubt() {
        return attempts.inDoubt();
    }

    Progress issued(Instant overdueAt) {
        return new Progress(Status.ISSUED, attempts.next(), Optional.of(overdueAt), detail, reference, callbacks);
    }

    /** The same attempt once more, because its outcome is overdue; the ledger makes that safe. */
    Progress issuedAgain(Instant overdueAt) {
        return new Progress(Status.ISSUED, attempts, Optional.of(overdueAt), detail, reference, callbacks);
    }

    /** The callback did not come: the next attempt finds out what became of the effect. */
    Progress probed(Instant overdueAt) {
        return new Progress(Status.ISSUED, attempts.nextProbes(), Optional.of(overdueAt), detail, reference, callbacks);
    }

    /** A person asks for another round of attempts; the first is due at once. */
    Progress anotherRound(Instant due) {
        return new Progress(Status.RETRYING, attempts.newRound(), Optional.of(due), detail, reference, callbacks);
    }

    Progress retrying(Instant due, String why, boolean doubt) {
        return new Progress(
                Status.RETRYING, attempts.retrying(doubt), Optional.of(due), Optional.of(why), reference, callbacks);
    }

    Progress rescheduled(UnaryOperator<Instant> when) {
        return new Progress(status, attempts, dueAt.map(when), detail, reference, callbacks);
    }

    /** @param doubt see {@link Attempts#accepted} */
    Progress awaitingCallback(Instant deadline, String why, boolean doubt) {
        return new Progress(
                Status.AWAITING_CALLBACK,
                attempts.accepted(doubt),
                Optional.of(deadline),
                Optional.of(why),
                reference,
                callbacks);
    }

    /** The receiver has called back that it failed; what came of the last attempt is still to be heard. */
    Progress refusedByCallback(String why) {
        return new Progress(status, attempts.refusedByCallback(), dueAt, Optional.of(why), reference, callbacks);
    }

    Progress settled(Status end, String why, Optional<String> receiversId) {
        return new Progress(
                end,
                attempts.settled(),
                Optional.empty(),
                Optional.of(why),
                receiversId.or(() -> reference),
                callbacks);
    }

    Progress brief() {
        Optional<String> cut = detail.map(said -> said.length() <= BRIEF ? said : said.substring(0, BRIEF) + "...");
        return new Progress(status, attempts, dueAt, cut, reference, callbacks);
    }

    boolean hasHeard(String callbackId) {
        return callbacks.contains(callbackId);
    }

    Progress heard(String callbackId) {
        List<String> all = Stream.concat(callbacks.stream(), Stream.of(callbackId))
                .skip(Math.max(0, callbacks.size() + 1 - CALLBACKS_KEPT))
                .toList();
        return new Progress(status, attempts, dueAt, detail, reference, all);
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
            case RETRYING -> inDoubt();
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
