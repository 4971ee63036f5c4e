package io.hellogpt.once.embedded;

import io.hellogpt.once.model.PriceTable;
import io.hellogpt.once.ops.verify.Evidence;
import io.hellogpt.once.ops.verify.Report;
import io.hellogpt.once.ops.verify.Verdict;
import io.hellogpt.once.ops.verify.Verifier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the demo came to.
 *
 * @param report the verifier's verdicts
 * @param lines what was counted, for people
 * @param differences where the counts are not what was sent; empty when all is well
 */
public record DemoResult(Report report, List<String> lines, List<String> differences) {
    private static final int NANOS_DIGITS = 9;

    public DemoResult {
        lines = List.copyOf(lines);
        differences = List.copyOf(differences);
    }

    static DemoResult of(DemoScale scale, Evidence evidence) {
        Report report = Verifier.verify(evidence);
        Map<String, Long> intake = figures(report, 4);
        List<String> differences = new ArrayList<>();
        compare("accepted", scale.requests(), intake, differences);
        compare("duplicate", scale.duplicates(), intake, differences);
        compare("conflicting", scale.conflicts(), intake, differences);
        compare("rejected", scale.malformed(), intake, differences);
        return new DemoResult(report, lines(evidence, report, intake), differences);
    }

    /** Whether every guarantee held and every record was taken for what it was. */
    public boolean held() {
        return report.result() == Verdict.Result.HELD && differences.isEmpty();
    }

    /** The last line. */
    public String summary() {
        return held() ? "exactly once: held" : "exactly once: VIOLATED";
    }

    /** The table a newcomer reads; what is wrong follows it, if anything is. */
    public String table() {
        List<String> all = new ArrayList<>(lines);
        all.add("");
        for (Verdict verdict : report.verdicts()) {
            all.add("  %s  %-26s %s"
                    .formatted(
                            verdict.guarantee(),
                            verdict.guarantee().title(),
                            verdict.result().name().toLowerCase(Locale.ROOT)));
        }
        differences.forEach(difference -> all.add("  " + difference));
        if (report.result() != Verdict.Result.HELD) {
            all.add("");
            all.add(report.table());
        }
        return String.join(System.lineSeparator(), all);
    }

    private static List<String> lines(Evidence evidence, Report report, Map<String, Long> intake) {
        List<Evidence.Call> calls = evidence.logs().calls().orElseThrow();
        // The demo's model never fails: a second call for a request is one that the kill had cut off.
        long again = calls.size()
                - calls.stream().map(Evidence.Call::requestId).distinct().count();
        Map<String, Long> endings = figures(report, 0);
        long nanos = evidence.ledger().orElseThrow().bills().stream()
                .mapToLong(Evidence.Bill::costNanos)
                .sum();
        return List.of(
                line("records sent", intake.get("read"), "Avro and JSON, partitioned as Java and as librdkafka do"),
                line("  accepted", intake.get("accepted"), "contracts to write, sign and announce"),
                line("  duplicates", intake.get("duplicate"), "answered from what was known, nothing done again"),
                line("  conflicting", intake.get("conflicting"), "same id, other content: refused"),
                line("  malformed", intake.get("rejected"), "put aside with the reason"),
                line("model calls", calls.size(), again + " of them again, cut off by the kill"),
                line(
                        "answers recorded",
                        evidence.work().snapshots().size(),
                        "snapshots, never a second one per request"),
                line(
                        "bills",
                        evidence.ledger().orElseThrow().bills().size(),
                        "sum " + BigDecimal.valueOf(nanos, NANOS_DIGITS).toPlainString() + " "
                                + PriceTable.builtIn().currency()),
                line("effects carried out", executed(evidence), byRoute(evidence)),
                line(
                        "endings",
                        evidence.work().endings().size(),
                        endings.get("committed") + " committed, " + endings.get("failed") + " failed"));
    }

    private static long executed(Evidence evidence) {
        return evidence.logs().executions().orElseThrow().stream()
                .filter(Evidence.Execution::executed)
                .count();
    }

    /** By the receivers' own account, not by ours. */
    private static String byRoute(Evidence evidence) {
        Map<String, String> routes = evidence.work().effects().stream()
                .collect(Collectors.toMap(Evidence.Issued::effectId, Evidence.Issued::route, (one, same) -> one));
        Map<String, Long> counts = evidence.logs().executions().orElseThrow().stream()
                .filter(Evidence.Execution::executed)
                .collect(Collectors.groupingBy(
                        execution -> routes.getOrDefault(execution.idempotencyKey(), "never issued"),
                        TreeMap::new,
                        Collectors.counting()));
        return "by the receivers' own logs: "
                + counts.entrySet().stream()
                        .map(route -> route.getValue() + " " + route.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static Map<String, Long> figures(Report report, int guarantee) {
        return report.verdicts().get(guarantee).figures();
    }

    private static void compare(String what, long sent, Map<String, Long> found, List<String> differences) {
        if (found.getOrDefault(what, 0L) != sent) {
            differences.add("%d records were sent to be %s, %d were".formatted(sent, what, found.get(what)));
        }
    }

    private static String line(String what, long count, String remark) {
        return "  %-22s %,7d   %s".formatted(what, count, remark);
    }
}
