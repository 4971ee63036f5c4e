package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.ops.verify.Evidence;
import io.hellogpt.once.ops.verify.Evidence.EffectEnd;
import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.Issued;
import io.hellogpt.once.ops.verify.Evidence.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What can be counted in the evidence of a run.
 *
 * @param counts in the order in which they should be read
 * @param effects by class
 */
record Figures(Map<String, Long> counts, Map<String, PerClass> effects) {
    /**
     * Effects of one class.
     *
     * @param unknown of how many the outcome was not known at some time
     */
    record PerClass(long issued, long attempts, long carriedOut, long unknown) {}

    static Figures of(Evidence evidence) {
        Map<String, Long> counts = new LinkedHashMap<>();
        long accepted = evidence.intake().transitions().stream()
                .filter(event -> event.type().equals("ACCEPTED"))
                .count();
        List<Ending> endings = evidence.work().endings();
        long conflicts = evidence.intake().rejected().stream()
                .filter(rejected -> rejected.reason().equals("CONFLICT"))
                .count();
        counts.put("records read", (long) evidence.intake().received().size());
        counts.put("accepted", accepted);
        counts.put("duplicates", (long) evidence.intake().duplicates().size());
        counts.put("conflicts", conflicts);
        counts.put("rejected otherwise", evidence.intake().rejected().size() - conflicts);
        counts.put("committed", endings.stream().filter(Ending::committed).count());
        counts.put("failed", endings.stream().filter(end -> !end.committed()).count());
        counts.put("failed with something undone", undone(endings));
        counts.put("resolved by a person", resolved(evidence));
        counts.put("settled by a callback", settledByCallback(evidence));
        counts.put("snapshots", (long) evidence.work().snapshots().size());
        counts.put(
                "model calls",
                evidence.logs().calls().map(calls -> (long) calls.size()).orElse(0L));
        return new Figures(counts, effects(evidence));
    }

    private static long resolved(Evidence evidence) {
        return evidence.intake().transitions().stream()
                .filter(event -> event.type().equals("COMMAND_APPLIED")
                        && event.effectId().isPresent())
                .count();
    }

    private static long settledByCallback(Evidence evidence) {
        return evidence.work().outcomes().stream()
                .filter(Outcome::callback)
                .map(Outcome::effectId)
                .distinct()
                .count();
    }

    /** Model calls for each accepted request. */
    double callsPerRequest() {
        return counts.get("accepted") == 0 ? 0 : (double) counts.get("model calls") / counts.get("accepted");
    }

    private static long undone(List<Ending> endings) {
        return endings.stream()
                .filter(end -> !end.committed())
                .filter(end -> end.effects().stream()
                        .map(EffectEnd::compensation)
                        .anyMatch(compensation -> compensation.isPresent()))
                .count();
    }

    private static Map<String, PerClass> effects(Evidence evidence) {
        Map<String, String> classes = new HashMap<>();
        Map<String, Long> attempts = new TreeMap<>();
        for (Issued issued : evidence.work().effects()) {
            String effectClass = Routes.CLASSES.getOrDefault(issued.route(), "of no class");
            classes.put(issued.effectId(), effectClass);
            attempts.merge(effectClass, 1L, Long::sum);
        }
        Set<String> done = new HashSet<>();
        Set<String> unknown = new HashSet<>();
        for (Outcome outcome : evidence.work().outcomes()) {
            if (outcome.result().equals("SUCCEEDED")) {
                done.add(outcome.effectId());
            } else if (outcome.result().equals("UNKNOWN")) {
                unknown.add(outcome.effectId());
            }
        }
        Map<String, PerClass> figures = new TreeMap<>();
        attempts.forEach((effectClass, tries) -> figures.put(
                effectClass,
                new PerClass(
                        count(classes, effectClass, classes.keySet()),
                        tries,
                        count(classes, effectClass, done),
                        count(classes, effectClass, unknown))));
        return figures;
    }

    private static long count(Map<String, String> classes, String effectClass, Set<String> effects) {
        return effects.stream()
                .filter(effect -> effectClass.equals(classes.get(effect)))
                .count();
    }
}
