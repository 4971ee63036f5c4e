package io.hellogpt.once.ops.verify;

import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.verify.Evidence.EffectEnd;
import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.Execution;
import io.hellogpt.once.ops.verify.Evidence.Received;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The part of G3 about endings. A committed request has every effect carried out, or skipped by a person. A failed one says of
 * everything carried out that it was, and has undone what can be undone.
 */
final class EndingsOfEffects {
    private static final String SUCCEEDED = "SUCCEEDED";
    private static final String SKIPPED = "SKIPPED";

    private final Evidence evidence;
    private final Set<String> succeeded;
    private final Set<String> decidedByPerson;
    private final Verdict.Builder verdict;

    private EndingsOfEffects(Evidence evidence, Set<String> succeeded, Verdict.Builder verdict) {
        this.evidence = evidence;
        this.succeeded = succeeded;
        this.verdict = verdict;
        // A person's word about an effect stands in for its outcome.
        this.decidedByPerson = evidence.intake().transitions().stream()
                .filter(event -> event.type().equals("COMMAND_APPLIED"))
                .flatMap(event -> event.effectId().stream())
                .collect(Collectors.toSet());
    }

    /** @param succeeded ids of the effects with an outcome that says so */
    static void check(Evidence evidence, Set<String> succeeded, Verdict.Builder verdict) {
        new EndingsOfEffects(evidence, succeeded, verdict).check();
    }

    private void check() {
        Map<SourcePosition, Set<String>> undoable = new HashMap<>();
        for (Received record : evidence.intake().received()) {
            undoable.put(record.at(), record.undoable());
        }
        for (Ending ending : evidence.work().endings()) {
            for (EffectEnd effect : ending.effects()) {
                backed(ending.requestId(), effect.effectId(), effect.status());
                if (ending.committed()) {
                    passed(ending.requestId(), effect);
                } else if (effect.status().equals(SUCCEEDED)) {
                    undone(
                            ending.requestId(),
                            effect,
                            undoable.getOrDefault(ending.source(), Set.of()).contains(effect.effectId()));
                }
            }
        }
        notConcealed();
    }

    /** What an ending claims, an outcome or a person has said. */
    private void backed(String requestId, String effectId, String status) {
        if (status.equals(SUCCEEDED) && !succeeded.contains(effectId) && !decidedByPerson.contains(effectId)) {
            verdict.violated(requestId, effectId + " is reported as carried out without such an outcome");
        }
        if (status.equals(SKIPPED) && !decidedByPerson.contains(effectId)) {
            verdict.violated(requestId, effectId + " is reported as skipped, but no person said so");
        }
    }

    private void passed(String requestId, EffectEnd effect) {
        if (!effect.status().equals(SUCCEEDED) && !effect.status().equals(SKIPPED)) {
            verdict.violated(requestId, "was committed although " + effect.effectId() + " is " + effect.status());
        }
    }

    private void undone(String requestId, EffectEnd effect, boolean undoable) {
        String undo = undoOf(effect.effectId());
        if (effect.compensation().isPresent()) {
            String status = effect.compensation().get();
            backed(requestId, undo, status);
            if (!status.equals(SUCCEEDED) && !status.equals(SKIPPED)) {
                verdict.violated(requestId, "has failed although " + undo + " is " + status);
            }
        } else if (undoable) {
            verdict.violated(requestId, "has failed, but " + effect.effectId() + " was not undone");
        }
    }

    /** What was carried out for a request that only failed stands in its ending, or was undone, or a person said otherwise. */
    private void notConcealed() {
        Map<String, List<Ending>> endings =
                evidence.work().endings().stream().collect(Collectors.groupingBy(Ending::requestId));
        for (String effect : carriedOut()) {
            List<Ending> ended = endings.getOrDefault(G3OneEffect.requestOf(effect), List.of());
            boolean failed = !ended.isEmpty() && ended.stream().noneMatch(Ending::committed);
            boolean stated = ended.stream()
                    .flatMap(ending -> ending.effects().stream())
                    .anyMatch(
                            end -> end.effectId().equals(effect) && end.status().equals(SUCCEEDED));
            boolean settled = succeeded.contains(undoOf(effect))
                    || decidedByPerson.contains(effect)
                    || decidedByPerson.contains(undoOf(effect));
            if (failed && !stated && !settled) {
                verdict.violated(
                        G3OneEffect.requestOf(effect),
                        effect + " was carried out, but its request failed without saying so or undoing it");
            }
        }
    }

    private Set<String> carriedOut() {
        Set<String> effects = new HashSet<>(succeeded);
        evidence.logs()
                .executions()
                .ifPresent(executions -> executions.stream()
                        .filter(Execution::isConfirmed)
                        .map(Execution::idempotencyKey)
                        .forEach(effects::add));
        effects.removeIf(effect -> effect.endsWith(":undo"));
        return effects;
    }

    private static String undoOf(String effectId) {
        return effectId + ":undo";
    }
}
