package io.hellogpt.once.ops.verify;

import io.hellogpt.once.ops.verify.Evidence.Bill;
import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.Ledger;
import io.hellogpt.once.ops.verify.Evidence.Recorded;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** One ledger row per snapshot, with its cost. */
final class G7Billing implements Checker {
    @Override
    public Verdict check(Evidence evidence) {
        Verdict.Builder verdict = Verdict.of(Guarantee.G7);
        evidence.ledger()
                .ifPresentOrElse(
                        ledger -> compare(ledger, evidence, verdict),
                        () -> verdict.incomplete("no ledger was given: nothing can be said about billing"));
        return verdict.build();
    }

    private static void compare(Ledger ledger, Evidence evidence, Verdict.Builder verdict) {
        Map<String, List<Recorded>> snapshots =
                evidence.work().snapshots().stream().collect(Collectors.groupingBy(Recorded::requestId));
        Map<String, List<Bill>> bills = ledger.bills().stream().collect(Collectors.groupingBy(Bill::requestId));
        Set<String> ended =
                evidence.work().endings().stream().map(Ending::requestId).collect(Collectors.toSet());
        verdict.count("snapshots", snapshots.size());
        verdict.count("ledger rows", ledger.bills().size());
        // A second snapshot is G2's business: here each request costs what it was first recorded with.
        verdict.count(
                "cost of snapshots, nanos",
                snapshots.values().stream()
                        .mapToLong(all -> all.get(0).costNanos())
                        .sum());
        verdict.count(
                "sum of ledger, nanos",
                ledger.bills().stream().mapToLong(Bill::costNanos).sum());
        snapshots.forEach((id, recorded) -> judge(id, recorded, bills.getOrDefault(id, List.of()), ended, verdict));
        bills.keySet().stream()
                .filter(id -> !snapshots.containsKey(id))
                .forEach(id -> verdict.violated(id, "is billed without a snapshot"));
    }

    private static void judge(
            String id, List<Recorded> recorded, List<Bill> bills, Set<String> ended, Verdict.Builder verdict) {
        if (bills.isEmpty() && ended.contains(id)) {
            verdict.violated(id, "has ended but its answer is not billed");
        } else if (bills.isEmpty()) {
            verdict.count("not billed yet", 1);
        } else if (bills.size() > 1) {
            verdict.violated(id, "is billed " + bills.size() + " times");
        } else if (recorded.stream().noneMatch(snapshot -> matches(snapshot, bills.get(0)))) {
            verdict.violated(id, "is billed with another answer or another cost than its snapshot's");
        }
    }

    private static boolean matches(Recorded snapshot, Bill bill) {
        return snapshot.sha256().equals(bill.snapshotSha256()) && snapshot.costNanos() == bill.costNanos();
    }
}
