package io.hellogpt.once.ops.verify;

import io.hellogpt.once.ops.verify.Evidence.Answered;
import io.hellogpt.once.ops.verify.Evidence.Call;
import io.hellogpt.once.ops.verify.Evidence.Recorded;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Model calls are nearly once: one answer per request. What goes beyond that was repeated; only a crash may do so, and only calls
 * that were in flight. A call that was not answered may be tried again.
 *
 * <p>With the model's log, that log alone decides. What the system itself says about failed calls explains nothing: a call whose
 * caller was stopped is one of them, and so is one that is then made and paid for twice.
 *
 * <p>Where disturbances are known to the moment, each repetition needs one between it and the call before it.
 */
final class G4Calls implements Checker {
    @Override
    public Verdict check(Evidence evidence) {
        Verdict.Builder verdict = Verdict.of(Guarantee.G4);
        if (evidence.logs().calls().isPresent()
                && !evidence.terms().disturbances().isEmpty()) {
            RepeatedCalls.judge(answered(evidence, verdict), evidence.terms().disturbances(), verdict);
            return verdict.build();
        }
        Map<String, Long> answered = evidence.logs().calls().isPresent()
                ? answered(evidence, verdict).stream()
                        .collect(Collectors.groupingBy(Call::requestId, Collectors.counting()))
                : fromJournal(evidence, verdict);
        Map<String, Long> repeated = new HashMap<>();
        answered.forEach((id, answers) -> {
            if (answers > 1) {
                repeated.put(id, answers - 1);
            }
        });
        judge(repeated, evidence.terms(), verdict);
        return verdict.build();
    }

    private static List<Call> answered(Evidence evidence, Verdict.Builder verdict) {
        List<Call> calls = evidence.logs().calls().orElseThrow();
        List<Recorded> snapshots = evidence.work().snapshots();
        verdict.count("calls", calls.size());
        Set<String> given = calls.stream()
                .flatMap(call -> call.bodySha256().stream().map(sha -> call.requestId() + " " + sha))
                .collect(Collectors.toSet());
        snapshots.stream()
                .filter(snapshot -> !given.contains(snapshot.requestId() + " " + snapshot.sha256()))
                .forEach(snapshot ->
                        verdict.violated(snapshot.requestId(), "has a snapshot that no call in the model's log gave"));
        // A log that states digests states none for an answer cut off on the way: that call may be made again.
        boolean statesDigests =
                calls.stream().anyMatch(call -> call.bodySha256().isPresent());
        List<Call> answered = calls.stream()
                .filter(call -> call.status() / 100 == 2)
                .filter(call -> !statesDigests || call.bodySha256().isPresent())
                .toList();
        verdict.count("answered", answered.size());
        return answered;
    }

    private static Map<String, Long> fromJournal(Evidence evidence, Verdict.Builder verdict) {
        verdict.note("no model's log was given: only calls whose answer was journaled are counted");
        List<Answered> journal = evidence.work().journal();
        verdict.count("answers journaled", journal.size());
        return journal.stream().collect(Collectors.groupingBy(Answered::requestId, Collectors.counting()));
    }

    private static void judge(Map<String, Long> repeated, Evidence.Terms terms, Verdict.Builder verdict) {
        long total = repeated.values().stream().mapToLong(Long::longValue).sum();
        long allowed = (long) terms.crashes() * terms.callsPerCrash();
        verdict.count("repeated", total);
        verdict.count("crashes", terms.crashes());
        verdict.count("allowed", allowed);
        repeated.forEach((id, beyond) -> {
            if (beyond > terms.crashes()) {
                verdict.violated(id, "was answered " + (beyond + 1) + " times, with " + terms.crashes() + " crashes");
            } else if (total > allowed) {
                verdict.violated(id, "is one of " + total + " repeated calls, of which " + allowed + " are allowed");
            }
        });
    }
}
