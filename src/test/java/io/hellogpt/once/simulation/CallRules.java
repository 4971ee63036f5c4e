package io.hellogpt.once.simulation;

import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * G4, and the first-answer rule of G2: a request is called once, and once more for each call that died with its process or was cut
 * off with it, was answered with an error, was given up, or was overdue.
 */
final class CallRules {
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Map<RequestId, Calls> calls = new HashMap<>();
    private final Set<RequestId> unchecked = new HashSet<>();

    private static final class Calls {
        int started;
        int allowed = 1;
        final Set<Integer> overdue = new HashSet<>();
        final List<Instant> deadlines = new ArrayList<>();
        final Set<JournalRecord> errors = new HashSet<>();
        Optional<JournalRecord.Answered> firstAnswer = Optional.empty();
        boolean answeredBeforeStart;
    }

    private Calls of(RequestId id) {
        return calls.computeIfAbsent(id, key -> new Calls());
    }

    void started(RequestId id, Instant deadline) {
        Calls of = of(id);
        Violation.unless(!of.answeredBeforeStart, "G4", id, "called although its answer stood in the journal");
        of.started++;
        of.deadlines.add(deadline);
        unchecked.add(id);
    }

    void taskStarted() {
        calls.values().forEach(of -> of.answeredBeforeStart = of.firstAnswer.isPresent());
    }

    /** Whether its answer stood in the journal when the task began. */
    boolean isAnswered(RequestId id) {
        return of(id).answeredBeforeStart;
    }

    /** Another call is in order, whatever the reason. */
    void allowOneMore(RequestId id) {
        of(id).allowed++;
    }

    /** The call of this attempt has been waited for long enough, counted once however often a transaction is redone. */
    void overdue(RequestId id, int attempt) {
        Calls of = of(id);
        of.allowed += of.overdue.add(attempt) ? 1 : 0;
    }

    /** A caller that handed its call over is left alone until some time after the call's own deadline; then no longer. */
    void believedDead(RequestId id, int attempt, Instant at) {
        if (of(id).deadlines.stream().anyMatch(deadline -> !at.isBefore(deadline.plus(GRACE)))) {
            overdue(id, attempt);
        }
    }

    void journaled(JournalRecord.CallResult result) {
        Calls of = of(result.id());
        switch (result) {
            case JournalRecord.Answered answered -> of.firstAnswer = of.firstAnswer.or(() -> Optional.of(answered));
            case JournalRecord.CallFailed failed -> of.allowed += of.errors.add(failed) ? 1 : 0;
        }
    }

    /** The dedup window has closed: what was journaled before does not count. */
    void forgotten(RequestId id) {
        Calls of = of(id);
        of.allowed++;
        of.firstAnswer = Optional.empty();
        of.answeredBeforeStart = false;
        of.overdue.clear();
    }

    Optional<JournalRecord.Answered> firstAnswer(RequestId id) {
        return of(id).firstAnswer;
    }

    /** A stashed answer was dropped. */
    void stashExpired(RequestId id) {
        Calls of = of(id);
        of.allowed++;
        of.firstAnswer = Optional.empty();
        of.answeredBeforeStart = false;
    }

    /** What was started since is held against what is committed now. */
    void check() {
        for (RequestId id : unchecked) {
            Calls of = of(id);
            Violation.unless(
                    of.started <= of.allowed, "G4", id, of.started + " calls where " + of.allowed + " are explained");
        }
        unchecked.clear();
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        return calls.entrySet().stream()
                .<Object>map(entry -> List.of(
                        entry.getKey(),
                        entry.getValue().started - entry.getValue().allowed,
                        entry.getValue().errors.size(),
                        entry.getValue().answeredBeforeStart,
                        entry.getValue().firstAnswer))
                .toList();
    }
}
