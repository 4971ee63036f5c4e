package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.simulation.Sent.LifeKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * G4, and the first-answer rule of G2: a request is called once, and once more for each call that died with its process or was cut
 * off with it, was answered with an error, was given up, or was overdue. Each life of an id is a request of its own.
 */
final class CallRules {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final String OVERDUE = "no result by its deadline";

    private final Map<LifeKey, Called> calls = new LinkedHashMap<>();
    private final Set<LifeKey> unchecked = new HashSet<>();
    private final Map<RequestId, Integer> calledByThisTask = new HashMap<>();

    private static final class Called {
        int started;
        int allowed = 1;
        final Set<Integer> overdue = new HashSet<>();
        final List<Instant> deadlines = new ArrayList<>();
        final Set<JournalRecord> errors = new HashSet<>();
        final Set<Answer> answers = new HashSet<>();
        Optional<Answer> firstAnswer = Optional.empty();
        boolean answeredBeforeStart;
    }

    private Called of(LifeKey life) {
        return calls.computeIfAbsent(life, key -> new Called());
    }

    private static LifeKey key(RequestId id, io.hellogpt.once.core.Life life) {
        return new LifeKey(id, life.receivedAt(), life.fingerprint().orElseThrow());
    }

    static LifeKey key(ModelCall call) {
        return key(call.id(), call.life());
    }

    void started(ModelCall call) {
        LifeKey life = key(call);
        Called of = of(life);
        Violation.unless(!of.answeredBeforeStart, "G4", life, "called although its answer stood in the journal");
        of.started++;
        of.deadlines.add(call.deadline());
        unchecked.add(life);
    }

    /** The task begins anew: what the journal holds now, it must read before it acts. */
    void taskStarted() {
        calls.values().forEach(of -> of.answeredBeforeStart = of.firstAnswer.isPresent());
        calledByThisTask.clear();
    }

    /** Whether its answer stood in the journal when the task began. */
    boolean isAnswered(LifeKey life) {
        return of(life).answeredBeforeStart;
    }

    /** Another call is in order, whatever the reason. */
    void allowOneMore(ModelCall call) {
        of(key(call)).allowed++;
    }

    /** Calls are made outside the transaction: what explains them counts although it was aborted. */
    void explained(LifecycleEvent event, LifeKey life) {
        if (event.type() != LifecycleEvent.Type.CALL_LOST) {
            return;
        }
        if (event.detail().startsWith(OVERDUE)) {
            overdue(life, event.attempt());
        } else if (event.detail().endsWith("is gone")) {
            believedDead(life, event.attempt(), event.at());
        }
    }

    /** The call of this attempt has been waited for long enough, counted once however often a transaction is redone. */
    private void overdue(LifeKey life, int attempt) {
        Called of = of(life);
        of.allowed += of.overdue.add(attempt) ? 1 : 0;
    }

    /** A caller that handed its call over is left alone until some time after the call's own deadline; then no longer. */
    private void believedDead(LifeKey life, int attempt, Instant at) {
        if (of(life).deadlines.stream().anyMatch(deadline -> !at.isBefore(deadline.plus(GRACE)))) {
            overdue(life, attempt);
        }
    }

    /** What this task has called for itself, nobody else can hand over to it. */
    void owned(LifecycleEvent event) {
        switch (event.type()) {
            case ACCEPTED, DISPATCHED -> {
                if (event.detail().startsWith("call ")) {
                    calledByThisTask.put(event.id(), event.attempt());
                }
            }
            case HANDED_OVER ->
                Violation.unless(
                        !Integer.valueOf(event.attempt()).equals(calledByThisTask.get(event.id())),
                        "OWNER",
                        event.id(),
                        "call " + event.attempt() + " of this task taken for another's: " + event.detail());
            default -> {}
        }
    }

    /** A request must not fail for want of an answer that stood in the journal when the task began. */
    void failed(io.hellogpt.once.core.Failed state) {
        Violation.unless(
                state.failure().reason() != io.hellogpt.once.core.Failure.Reason.MODEL_EXHAUSTED
                        || !state.failure().detail().startsWith(OVERDUE)
                        || !isAnswered(LifeKey.of(state.identity())),
                "G4",
                state.id(),
                "failed for want of an answer that stood in the journal");
    }

    void journaled(JournalRecord.CallResult result) {
        Called of = of(key(result.id(), result.life()));
        switch (result) {
            case JournalRecord.Answered answered -> {
                of.answers.add(answered.answer());
                of.firstAnswer = of.firstAnswer.or(() -> Optional.of(answered.answer()));
            }
            case JournalRecord.CallFailed failed ->
                of.allowed += mayBeRepeated(failed.error().kind()) && of.errors.add(failed) ? 1 : 0;
        }
    }

    /** What the provider refuses for good is not paid for a second time. */
    private static boolean mayBeRepeated(CallError.Kind kind) {
        return switch (kind) {
            case RETRYABLE, UNAUTHORIZED, ABANDONED -> true;
            case REJECTED, TOO_LARGE -> false;
        };
    }

    /** The snapshot is the first answer that was given for this very request. */
    void recorded(LifeKey life, Answer answer) {
        Violation.unless(of(life).answers.contains(answer), "G2", life, "its snapshot is nobody's answer to it");
        boolean first = of(life).firstAnswer.map(answer::equals).orElse(true);
        Violation.unless(first, "G2", life, "its snapshot is not the first answer in the journal");
    }

    /**
     * A stashed response was dropped.
     *
     * @param result it was a result, which then counts no more; what stands in the journal behind it does
     */
    void dropped(RequestId id, io.hellogpt.once.core.Life stashed, boolean result) {
        Called of = of(key(id, stashed));
        of.allowed++;
        if (!result) {
            return;
        }
        of.firstAnswer = Optional.empty();
        of.answeredBeforeStart = false;
    }

    /** What was started since is held against what is committed now. */
    void check() {
        for (LifeKey life : unchecked) {
            Called of = of(life);
            Violation.unless(
                    of.started <= of.allowed, "G4", life, of.started + " calls where " + of.allowed + " are explained");
        }
        unchecked.clear();
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        List<Object> all = new ArrayList<>();
        calls.forEach((life, of) -> all.add(
                List.of(life, of.started - of.allowed, of.overdue, of.errors, of.answeredBeforeStart, of.firstAnswer)));
        all.add(Map.copyOf(calledByThisTask));
        return all;
    }
}
