package io.hellogpt.once.ops.verify;

import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.Transition;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Every accepted request has exactly one terminal record within the dedup window: never both, never neither. */
final class G1OneEnding implements Checker {
    /** One acceptance of one id: after the dedup window the same id may be accepted again, from another record. */
    private record Acceptance(String requestId, SourcePosition source) {}

    @Override
    public Verdict check(Evidence evidence) {
        Verdict.Builder verdict = Verdict.of(Guarantee.G1);
        List<Transition> accepted = evidence.intake().transitions().stream()
                .filter(Transition::accepts)
                .toList();
        Map<Acceptance, List<Ending>> endings = evidence.work().endings().stream()
                .collect(Collectors.groupingBy(ending -> new Acceptance(ending.requestId(), ending.source())));
        Map<String, String> lastState = lastStates(evidence);
        verdict.count("accepted", accepted.size());
        verdict.count(
                "committed",
                evidence.work().endings().stream().filter(Ending::committed).count());
        verdict.count(
                "failed",
                evidence.work().endings().stream().filter(e -> !e.committed()).count());

        Set<Acceptance> known = new HashSet<>();
        for (Transition acceptance : accepted) {
            Acceptance key = new Acceptance(acceptance.requestId(), acceptance.source());
            known.add(key);
            judge(key, endings.getOrDefault(key, List.of()), lastState.get(key.requestId()), evidence, verdict);
        }
        endings.keySet().stream()
                .filter(key -> !known.contains(key))
                .forEach(key -> verdict.violated(key.requestId(), "has an ending but was never accepted"));
        acceptedTwice(accepted, evidence, verdict);
        return verdict.build();
    }

    private static void judge(
            Acceptance key, List<Ending> endings, String lastState, Evidence evidence, Verdict.Builder verdict) {
        if (endings.size() > 1) {
            verdict.violated(
                    key.requestId(),
                    "has %d endings (%d committed)"
                            .formatted(
                                    endings.size(),
                                    endings.stream().filter(Ending::committed).count()));
        } else if (endings.isEmpty() && "HELD".equals(lastState)) {
            verdict.count("waiting for a person", 1);
        } else if (endings.isEmpty() && evidence.terms().running()) {
            verdict.count("unfinished", 1);
            verdict.incomplete(key.requestId() + " is unfinished, last seen " + lastState);
        } else if (endings.isEmpty()) {
            verdict.violated(key.requestId(), "has no ending, last seen " + lastState);
        }
    }

    private static Map<String, String> lastStates(Evidence evidence) {
        Map<String, String> states = new HashMap<>();
        // Events of one request stand in one partition, so their order in the evidence is the order of the log.
        evidence.intake().transitions().forEach(event -> states.put(event.requestId(), event.to()));
        return states;
    }

    private static void acceptedTwice(List<Transition> accepted, Evidence evidence, Verdict.Builder verdict) {
        Map<String, Instant> endedAt = new HashMap<>();
        evidence.work()
                .endings()
                .forEach(ending -> endedAt.merge(ending.requestId(), ending.at(), (a, b) -> a.isBefore(b) ? a : b));
        accepted.stream().collect(Collectors.groupingBy(Transition::requestId)).forEach((id, times) -> {
            Instant last = times.stream()
                    .map(Transition::at)
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            Instant free = endedAt.getOrDefault(
                            id, Instant.MAX.minus(evidence.terms().dedupRetention()))
                    .plus(evidence.terms().dedupRetention());
            if (times.size() > 1 && last.isBefore(free)) {
                verdict.violated(id, "was accepted " + times.size() + " times within the dedup window");
            }
        });
    }
}
