package io.hellogpt.once.ops.verify;

import io.hellogpt.once.ops.verify.Evidence.Answered;
import io.hellogpt.once.ops.verify.Evidence.Call;
import io.hellogpt.once.ops.verify.Evidence.Recorded;
import io.hellogpt.once.ops.verify.Evidence.Transition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Model calls are nearly once. Expected per request: one, and one more for each call the audit log says failed. What goes
 * beyond that was repeated; only a crash may do so, and only calls that were in flight.
 */
final class G4Calls implements Checker {
    @Override
    public Verdict check(Evidence evidence) {
        Verdict.Builder verdict = Verdict.of(Guarantee.G4);
        Map<String, Long> made = evidence.logs().calls().isPresent()
                ? fromModel(evidence.logs().calls().get(), evidence.work().snapshots(), verdict)
                : fromJournal(evidence, verdict);
        Map<String, Long> failures = evidence.intake().transitions().stream()
                .filter(event -> event.type().equals("CALL_FAILED"))
                .collect(Collectors.groupingBy(Transition::requestId, Collectors.counting()));
        Map<String, Long> repeated = new HashMap<>();
        made.forEach((id, calls) -> {
            long beyond = calls - 1 - failures.getOrDefault(id, 0L);
            if (beyond > 0) {
                repeated.put(id, beyond);
            }
        });
        judge(repeated, evidence.terms(), verdict);
        return verdict.build();
    }

    private static Map<String, Long> fromModel(List<Call> calls, List<Recorded> snapshots, Verdict.Builder verdict) {
        verdict.count("calls", calls.size());
        Set<String> given = calls.stream()
                .flatMap(call -> call.bodySha256().stream().map(sha -> call.requestId() + " " + sha))
                .collect(Collectors.toSet());
        snapshots.stream()
                .filter(snapshot -> !given.contains(snapshot.requestId() + " " + snapshot.sha256()))
                .forEach(snapshot ->
                        verdict.violated(snapshot.requestId(), "has a snapshot that no call in the model's log gave"));
        return calls.stream().collect(Collectors.groupingBy(Call::requestId, Collectors.counting()));
    }

    private static Map<String, Long> fromJournal(Evidence evidence, Verdict.Builder verdict) {
        verdict.note("no model's log was given: only calls whose answer was journaled are counted");
        List<Answered> journal = evidence.work().journal();
        verdict.count("answers journaled", journal.size());
        Map<String, Long> failures = evidence.intake().transitions().stream()
                .filter(event -> event.type().equals("CALL_FAILED"))
                .collect(Collectors.groupingBy(Transition::requestId, Collectors.counting()));
        Map<String, Long> made = new HashMap<>(
                journal.stream().collect(Collectors.groupingBy(Answered::requestId, Collectors.counting())));
        // The journal's count holds no failed calls; added so that the expectation is the same as with a model's log.
        made.replaceAll((id, answers) -> answers + failures.getOrDefault(id, 0L));
        return made;
    }

    private static void judge(Map<String, Long> repeated, Evidence.Terms terms, Verdict.Builder verdict) {
        long total = repeated.values().stream().mapToLong(Long::longValue).sum();
        long allowed = (long) terms.crashes() * terms.callsPerCrash();
        verdict.count("repeated", total);
        verdict.count("crashes", terms.crashes());
        verdict.count("allowed", allowed);
        repeated.forEach((id, beyond) -> {
            if (beyond > terms.crashes()) {
                verdict.violated(
                        id,
                        "was called " + beyond + " times more than its failures explain, with " + terms.crashes()
                                + " crashes");
            } else if (total > allowed) {
                verdict.violated(id, "is one of " + total + " repeated calls, of which " + allowed + " are allowed");
            }
        });
    }
}
