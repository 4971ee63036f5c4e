package io.hellogpt.once.ops.verify;

import io.hellogpt.once.ops.verify.Evidence.Call;
import io.hellogpt.once.ops.verify.Evidence.Disturbance;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The part of G4 for a run whose disturbances are known to the moment. */
final class RepeatedCalls {
    private RepeatedCalls() {}

    /** @param answered calls that were answered whole, each with its time */
    static void judge(List<Call> answered, List<Disturbance> disturbances, Verdict.Builder verdict) {
        verdict.count("repeated", 0);
        verdict.count("disturbances", disturbances.size());
        answered.stream().collect(Collectors.groupingBy(Call::requestId)).forEach((id, calls) -> {
            if (calls.size() > 1) {
                judge(id, calls, disturbances, verdict);
            }
        });
    }

    private static void judge(String id, List<Call> calls, List<Disturbance> disturbances, Verdict.Builder verdict) {
        verdict.count("repeated", calls.size() - 1L);
        if (calls.stream().anyMatch(call -> call.at().isEmpty())) {
            verdict.violated(id, "was answered " + calls.size() + " times, and the model's log does not say when");
            return;
        }
        List<Instant> times = calls.stream()
                .map(call -> call.at().orElseThrow())
                .sorted(Comparator.naturalOrder())
                .toList();
        for (int i = 1; i < times.size(); i++) {
            Instant before = times.get(i - 1);
            Instant again = times.get(i);
            Set<String> kinds = disturbances.stream()
                    .filter(each -> each.touches(before, again))
                    .map(Disturbance::kind)
                    .collect(Collectors.toCollection(TreeSet::new));
            if (kinds.isEmpty()) {
                verdict.violated(
                        id, "was called at " + before + " and again at " + again + ", with no disturbance between");
            }
            kinds.forEach(kind -> verdict.count("repeated around " + kind, 1));
        }
    }
}
