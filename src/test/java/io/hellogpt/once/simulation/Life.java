package io.hellogpt.once.simulation;

import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the topics and the receivers say of one request, from its acceptance until its id may be used again. */
final class Life {
    Optional<Sent> origin = Optional.empty();
    /** Of the life before, when the id is used again after its dedup window. */
    Optional<Sent> previousOrigin = Optional.empty();

    Optional<Snapshot> snapshot = Optional.empty();
    Optional<Fact> terminal = Optional.empty();
    Instant endedAtStreamTime = Instant.MAX;
    boolean forgotten;
    boolean approved;

    private final Map<Integer, Step> forward = new TreeMap<>();
    private final Map<Integer, Step> undo = new TreeMap<>();

    /** What is known of one effect, or of one compensation. */
    static final class Step {
        int attempt;
        Optional<Result> last = Optional.empty();
        /** With RETRYABLE: an attempt may have been carried out all the same. */
        boolean inDoubt;

        boolean succeeded;
        /** A person has said what became of it; whether that is true is that person's affair. */
        boolean settledByPerson;

        /** A person has said that it was carried out, or is not needed. */
        boolean passedByPerson;

        boolean retryAllowed;
        /** The last attempt was a probe. */
        boolean probe;

        /** A callback has said FAILED of one of the attempts. */
        boolean calledFailed;

        /** The attempt after which a person gave it another round. */
        int roundStart;

        boolean carriedOut;

        boolean isIssued() {
            return attempt > 0;
        }

        boolean isPassed() {
            return succeeded || passedByPerson;
        }

        /** An attempt is out and nothing final was heard of it. */
        boolean isOut() {
            return isIssued()
                    && !isPassed()
                    && last.map(result -> !calledFailed
                                    && (result == Result.UNKNOWN
                                            || result == Result.AWAITING_CALLBACK
                                            || (result == Result.RETRYABLE && inDoubt)))
                            .orElse(!(probe && calledFailed));
        }

        private void heard(EffectOutcome outcome) {
            succeeded |= outcome.result() == Result.SUCCEEDED;
            if (outcome.callbackId().isPresent()) {
                calledBack(outcome.result());
                return;
            }
            if (outcome.attempt() != attempt) {
                return;
            }
            boolean open = last.isEmpty()
                    || last.get() == Result.AWAITING_CALLBACK
                    || (last.get() == Result.UNKNOWN && outcome.result() != Result.AWAITING_CALLBACK);
            if (open) {
                last = Optional.of(outcome.result());
                inDoubt = outcome.inDoubt();
            }
        }

        /** What a receiver says says nothing of an attempt that is still out, and need not be about the last one. */
        private void calledBack(Result result) {
            boolean isOneSend = attempt == 1 || (attempt == 2 && probe);
            boolean isOut = last.isEmpty() && !probe;
            if (succeeded) {
                last = Optional.of(Result.SUCCEEDED);
            } else if (isOneSend && !isOut) {
                last = Optional.of(result);
            } else {
                calledFailed = true;
            }
        }
    }

    boolean isOpen() {
        return terminal.isEmpty();
    }

    Kind kind() {
        return origin.orElseThrow().kind();
    }

    Step step(EffectId id) {
        return step(id.step(), id.undo());
    }

    Step step(int number, boolean undoing) {
        return (undoing ? undo : forward).computeIfAbsent(number, key -> new Step());
    }

    Step billing() {
        return step(0, false);
    }

    /** An outcome of another life of the id is not about this one. */
    boolean isMeantBy(EffectOutcome outcome) {
        return isReceivedAt(outcome.requestReceivedAt());
    }

    boolean isReceivedAt(Instant time) {
        return origin.filter(sent -> sent.appendedAt().equals(time)).isPresent();
    }

    void heard(EffectOutcome outcome) {
        if (!isMeantBy(outcome)) {
            return;
        }
        Step step = step(outcome.effectId());
        if (step.isIssued()) {
            step.heard(outcome);
        }
    }

    void settledByPerson(EffectId id, boolean passed) {
        Step step = step(id);
        step.settledByPerson = true;
        step.passedByPerson |= passed;
        step.last = Optional.of(Result.FAILED);
    }

    /** A person gives whatever failed another round. */
    void allowRetries() {
        forward.values().forEach(Life::allowRetries);
        undo.values().forEach(Life::allowRetries);
    }

    private static void allowRetries(Step step) {
        step.retryAllowed = true;
        step.roundStart = step.attempt;
    }

    /** Whether a compensation has been issued. */
    boolean isGoingBack() {
        return undo.values().stream().anyMatch(Step::isIssued);
    }

    boolean anyForwardOut() {
        return forward.entrySet().stream()
                .anyMatch(entry -> entry.getKey() > 0 && entry.getValue().isOut());
    }

    boolean otherUndoUnfinished(int number) {
        return undo.entrySet().stream()
                .anyMatch(entry -> entry.getKey() != number
                        && entry.getValue().isIssued()
                        && !entry.getValue().isPassed());
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        List<Object> all = new ArrayList<>();
        all.add(List.of(origin, snapshot, terminal, forgotten, approved));
        for (Map<Integer, Step> steps : List.of(forward, undo)) {
            steps.forEach((number, step) -> all.add(List.of(
                    number,
                    step.attempt,
                    step.last,
                    step.inDoubt,
                    step.succeeded,
                    step.settledByPerson,
                    step.passedByPerson,
                    step.retryAllowed,
                    List.of(step.carriedOut, step.probe, step.calledFailed, step.roundStart))));
        }
        return all;
    }
}
