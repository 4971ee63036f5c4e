package io.hellogpt.once.core;

import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Fact.Ignore.Reason;
import java.time.Instant;
import java.util.Optional;

/** What an outcome says about an effect, compared with what is known of it. */
final class Outcomes {
    private final ProtocolSettings settings;

    Outcomes(ProtocolSettings settings) {
        this.settings = settings;
    }

    /** What follows from an outcome. */
    sealed interface Meaning {
        /** The effect has come further. */
        record News(Progress next) implements Meaning {}

        /** Nothing; it is counted. */
        record Nothing(Reason reason) implements Meaning {}

        /** Nothing, for it comes too late, or too early to be the last word; the callback is remembered, so that it is noted once. */
        record Late(Progress next, String why) implements Meaning {}

        /** It cannot be true. */
        record Impossible(String why) implements Meaning {}
    }

    /**
     * @param progress of the effect the outcome names, empty when there is no such effect
     * @param ended nothing can change any more
     */
    Meaning of(Optional<Progress> progress, EffectOutcome outcome, boolean ended, Moment moment) {
        return outcome.callbackId()
                .map(id -> ofCallback(progress, outcome, id, ended))
                .orElseGet(() -> ofAttempt(progress, outcome, ended, moment));
    }

    private Meaning ofAttempt(Optional<Progress> progress, EffectOutcome outcome, boolean ended, Moment moment) {
        Optional<Progress> issued = progress.filter(known -> known.status() != Progress.Status.WAITING);
        if (issued.isEmpty()) {
            return new Meaning.Nothing(Reason.NEVER_ISSUED);
        }
        return ended || !isNews(issued.get(), outcome)
                ? new Meaning.Nothing(Reason.LATE_OUTCOME)
                : new Meaning.News(next(issued.get(), outcome, moment.now()));
    }

    private static Meaning ofCallback(Optional<Progress> progress, EffectOutcome outcome, String id, boolean ended) {
        Optional<Progress> issued = progress.filter(known -> known.status() != Progress.Status.WAITING);
        if (issued.isEmpty()) {
            return new Meaning.Impossible("the effect was never issued");
        }
        Progress known = issued.get();
        if (known.hasHeard(id)) {
            return new Meaning.Nothing(Reason.DUPLICATE_CALLBACK);
        }
        return switch (outcome.result()) {
            case SUCCEEDED, FAILED ->
                !ended && isNewsFromCallback(known, outcome.result())
                        ? new Meaning.News(calledBack(known, outcome).heard(id))
                        : new Meaning.Late(known.heard(id), "settled before");
            case RETRYABLE, UNKNOWN, AWAITING_CALLBACK, MALFORMED ->
                new Meaning.Impossible("a callback says SUCCEEDED or FAILED, not " + outcome.result());
        };
    }

    private static Progress calledBack(Progress known, EffectOutcome outcome) {
        return outcome.result() == Result.FAILED && mayStillBeCarriedOut(known)
                ? known.refusedByCallback(
                        "called back, while another attempt may have been carried out: " + outcome.detail())
                : settled(known, outcome);
    }

    /**
     * Whether a callback that says FAILED is not the last word: an attempt is out whose own outcome is still to come, or the
     * callback may be about an earlier attempt than one that may have been carried out.
     */
    private static boolean mayStillBeCarriedOut(Progress known) {
        Attempts attempts = known.attempts();
        return switch (known.status()) {
            case ISSUED -> !attempts.probe() || attempts.several();
            case RETRYING -> attempts.inDoubt() && attempts.several();
            case AWAITING_CALLBACK, UNKNOWN -> attempts.several();
            case WAITING, SUCCEEDED, FAILED, SKIPPED -> false;
        };
    }

    /**
     * A success counts whichever attempt it belongs to, and whatever was believed before, even by a person: what was carried out
     * must be undone when the request goes back. Anything else counts only when it is about the current attempt.
     */
    private static boolean isNews(Progress progress, EffectOutcome outcome) {
        boolean succeeded = outcome.result() == Result.SUCCEEDED;
        return switch (progress.status()) {
            case ISSUED, AWAITING_CALLBACK -> succeeded || outcome.attempt() == progress.attempt();
            case RETRYING, FAILED -> succeeded;
            // An earlier attempt's failure, told again by a worker that was frozen, says nothing about the one in
            // question.
            case UNKNOWN -> succeeded || (outcome.result() == Result.FAILED && outcome.attempt() == progress.attempt());
            case WAITING, SUCCEEDED, SKIPPED -> false;
        };
    }

    /** A callback is the receiver's word on the effect, whichever attempt it is at and whether its response was read or not. */
    private static boolean isNewsFromCallback(Progress progress, Result result) {
        return switch (progress.status()) {
            case ISSUED, AWAITING_CALLBACK, RETRYING, UNKNOWN -> true;
            case FAILED -> result == Result.SUCCEEDED;
            case WAITING, SUCCEEDED, SKIPPED -> false;
        };
    }

    private Progress next(Progress before, EffectOutcome outcome, Instant now) {
        return before.attempts().refused() && bearsOut(before.attempts(), outcome)
                ? before.settled(
                        Progress.Status.FAILED,
                        "%s; attempt %d: %s"
                                .formatted(
                                        before.detail().orElse("called back that it failed"),
                                        before.attempt(),
                                        outcome.detail()),
                        outcome.reference())
                : said(before, outcome, now);
    }

    /** Whether nothing can have been carried out when a callback has said FAILED and the last attempt came to {@code outcome}. */
    private static boolean bearsOut(Attempts attempts, EffectOutcome outcome) {
        return switch (outcome.result()) {
            case SUCCEEDED, FAILED, MALFORMED -> false;
            case UNKNOWN -> !attempts.several();
            case AWAITING_CALLBACK -> !attempts.accepted(outcome.inDoubt()).several();
            case RETRYABLE -> !outcome.inDoubt() || !attempts.several();
        };
    }

    private Progress said(Progress before, EffectOutcome outcome, Instant now) {
        return switch (outcome.result()) {
            case SUCCEEDED, FAILED, MALFORMED, UNKNOWN -> settled(before, outcome);
            case AWAITING_CALLBACK ->
                before.awaitingCallback(
                        outcome.deadline().orElse(now.plus(settings.outcomeTimeout())),
                        outcome.detail(),
                        outcome.inDoubt());
            case RETRYABLE ->
                settings.effects().exhausted(before.attempts().counted())
                        ? exhausted(before, outcome)
                        : before.retrying(
                                now.plus(settings.effects()
                                        .delay(outcome.effectId().toString(), before.attempt(), outcome.retryAfter())),
                                outcome.detail(),
                                outcome.inDoubt());
        };
    }

    /** What may have been carried out must not be called failed: nobody would undo it. */
    private static Progress exhausted(Progress before, EffectOutcome outcome) {
        return before.settled(
                outcome.inDoubt() ? Progress.Status.UNKNOWN : Progress.Status.FAILED,
                "%d attempts, the last one: %s".formatted(before.attempt(), outcome.detail()),
                outcome.reference());
    }

    private static Progress settled(Progress before, EffectOutcome outcome) {
        return before.settled(end(outcome.result()), outcome.detail(), outcome.reference());
    }

    private static Progress.Status end(Result result) {
        return switch (result) {
            case SUCCEEDED -> Progress.Status.SUCCEEDED;
            case FAILED, MALFORMED -> Progress.Status.FAILED;
            case UNKNOWN -> Progress.Status.UNKNOWN;
            case RETRYABLE, AWAITING_CALLBACK -> throw new IllegalArgumentException(result + " settles nothing");
        };
    }
}
