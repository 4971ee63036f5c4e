package io.hellogpt.once.ops.verify;

import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.ops.verify.Evidence.Execution;
import io.hellogpt.once.ops.verify.Evidence.Issued;
import io.hellogpt.once.ops.verify.Evidence.LedgerEffect;
import io.hellogpt.once.ops.verify.Evidence.Order;
import io.hellogpt.once.ops.verify.Evidence.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * No receiver carried out an effect twice, none carried out one that was never issued or was undone, what is reported as carried
 * out was, and what was carried out is reported or undone.
 */
final class G3OneEffect implements Checker {
    private static final String SUCCEEDED = "SUCCEEDED";
    private static final Set<String> DEFINITE = Set.of(SUCCEEDED, "FAILED");

    @Override
    public Verdict check(Evidence evidence) {
        Verdict.Builder verdict = Verdict.of(Guarantee.G3);
        Map<String, String> routes = new HashMap<>();
        evidence.work().effects().forEach(issued -> routes.put(issued.effectId(), issued.route()));
        verdict.count("effects", routes.size());
        verdict.count("attempts", evidence.work().effects().size());
        Set<String> succeeded = outcomes(evidence, routes, verdict);
        orders(evidence.work().effects(), verdict);
        EndingsOfEffects.check(evidence, succeeded, verdict);
        evidence.ledger()
                .ifPresentOrElse(
                        ledger ->
                                ledger(ledger.effects(), routes, evidence.work().outcomes(), verdict),
                        () -> verdict.note("no ledger was given"));
        evidence.logs()
                .executions()
                .ifPresentOrElse(
                        executions -> receivers(executions, routes, succeeded, verdict),
                        () -> verdict.note("no receiver's log was given"));
        return verdict.build();
    }

    private static Set<String> outcomes(Evidence evidence, Map<String, String> routes, Verdict.Builder verdict) {
        Map<String, Set<String>> results = new HashMap<>();
        for (Outcome outcome : evidence.work().outcomes()) {
            if (!routes.containsKey(outcome.effectId())) {
                verdict.violated(outcome.requestId(), outcome.effectId() + " has an outcome but was never issued");
            }
            if (DEFINITE.contains(outcome.result())) {
                results.computeIfAbsent(outcome.effectId() + "#" + outcome.attempt(), any -> new HashSet<>())
                        .add(outcome.result());
            }
        }
        results.forEach((attempt, seen) -> {
            if (seen.size() > 1) {
                verdict.violated(
                        requestOf(attempt.substring(0, attempt.lastIndexOf('#'))),
                        attempt + " has both outcomes " + seen);
            }
        });
        Set<String> succeeded = evidence.work().outcomes().stream()
                .filter(outcome -> outcome.result().equals(SUCCEEDED))
                .map(Outcome::effectId)
                .collect(Collectors.toSet());
        verdict.count("carried out", succeeded.size());
        return succeeded;
    }

    /** Attempts repeat an order, they do not change it. */
    private static void orders(List<Issued> effects, Verdict.Builder verdict) {
        Map<String, Set<Order>> orders = effects.stream()
                .collect(
                        Collectors.groupingBy(Issued::effectId, Collectors.mapping(Issued::order, Collectors.toSet())));
        orders.forEach((effect, seen) -> {
            if (seen.size() > 1) {
                verdict.violated(
                        requestOf(effect), effect + " was issued with " + seen.size() + " different orders for one id");
            }
        });
    }

    private static void ledger(
            List<LedgerEffect> rows, Map<String, String> routes, List<Outcome> outcomes, Verdict.Builder verdict) {
        verdict.count("ledger rows", rows.size());
        Set<String> known = rows.stream().map(LedgerEffect::effectId).collect(Collectors.toSet());
        Set<String> settled = rows.stream()
                .filter(row -> row.outcome().filter(SUCCEEDED::equals).isPresent())
                .map(LedgerEffect::effectId)
                .collect(Collectors.toSet());
        rows.stream()
                // A tombstone stands for an effect the ledger never saw: it was compensated first.
                .filter(row -> !row.status().equals("TOMBSTONED"))
                .map(LedgerEffect::effectId)
                .filter(effect -> !routes.containsKey(effect))
                .forEach(effect ->
                        verdict.violated(requestOf(effect), effect + " is in the ledger but was never issued"));
        outcomes.stream()
                .filter(outcome -> outcome.result().equals(SUCCEEDED))
                // A receiver that calls back does not tell the ledger; but only what the ledger has sent can be called
                // back.
                .filter(outcome -> !(outcome.callback() ? known : settled).contains(outcome.effectId()))
                .map(Outcome::effectId)
                .distinct()
                .forEach(effect -> verdict.violated(
                        requestOf(effect), effect + " was reported as carried out, but not by the ledger"));
    }

    private static void receivers(
            List<Execution> executions, Map<String, String> routes, Set<String> succeeded, Verdict.Builder verdict) {
        Map<String, Long> executed = executions.stream()
                .filter(Execution::executed)
                .collect(Collectors.groupingBy(Execution::idempotencyKey, Collectors.counting()));
        verdict.count(
                "executed by receivers",
                executed.values().stream().mapToLong(Long::longValue).sum());
        verdict.count(
                "repetitions recognised by receivers",
                executions.stream().filter(e -> !e.executed()).count());
        executed.forEach((effect, times) -> {
            if (times > 1) {
                verdict.violated(requestOf(effect), effect + " was executed " + times + " times by its receiver");
            }
            if (!routes.containsKey(effect)) {
                verdict.violated(requestOf(effect), effect + " was executed by a receiver but never issued");
            }
        });
        Set<String> observed = executions.stream()
                .map(execution -> routes.get(execution.idempotencyKey()))
                .filter(route -> route != null)
                .collect(Collectors.toSet());
        succeeded.stream()
                .filter(effect -> observed.contains(routes.get(effect)) && !executed.containsKey(effect))
                .forEach(effect -> verdict.violated(
                        requestOf(effect), effect + " was reported as carried out, but its receiver did not do it"));
        afterUndo(executions, verdict);
    }

    private static void afterUndo(List<Execution> executions, Verdict.Builder verdict) {
        Set<String> seen = new HashSet<>();
        for (Execution execution : executions) {
            if (execution.executed()) {
                seen.add(execution.log() + " " + execution.idempotencyKey());
                String undo = execution.idempotencyKey() + ":undo";
                if (seen.contains(execution.log() + " " + undo)) {
                    verdict.violated(
                            requestOf(execution.idempotencyKey()),
                            execution.idempotencyKey() + " was executed by its receiver after it had been undone");
                }
            }
        }
    }

    static String requestOf(String effectId) {
        try {
            return EffectId.parse(effectId).requestId().value();
        } catch (IllegalArgumentException foreign) {
            return effectId;
        }
    }
}
