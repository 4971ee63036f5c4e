package io.hellogpt.once.ops.verify;

import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.verify.Evidence.Bill;
import io.hellogpt.once.ops.verify.Evidence.EffectEnd;
import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.Ledger;
import io.hellogpt.once.ops.verify.Evidence.LedgerEffect;
import io.hellogpt.once.ops.verify.Evidence.Recorded;
import io.hellogpt.once.ops.verify.Evidence.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Compares, over a sliding window and while work goes on, what the topics, the stores and the ledger say of the same requests. The
 * verifier decides about a whole run that has come to its end; this finds out within minutes, from one window's records.
 *
 * <p>Only what is old enough to be seen everywhere is judged: requests accepted and endings written before {@code settled}.
 */
public final class Reconciler {
    private final Evidence.Intake intake;
    private final Evidence.Work work;
    private final Instant settled;
    private final List<Difference> differences = new ArrayList<>();
    private long checked;

    /** What is compared. */
    public enum Check {
        /** Requests accepted = endings + open. */
        ENDINGS,
        /** One answer per request, its bytes as its digest says, and the ending derived from it. */
        SNAPSHOTS,
        /** Answers = bills, in number and in cost. */
        BILLS,
        /** Effects an ending calls done = effects the ledger calls done. */
        EFFECTS
    }

    /** Two sides that do not say the same. */
    public record Difference(Check check, String requestId, String detail) {}

    /**
     * What a comparison found.
     *
     * @param requests how many were compared
     * @param answersNanos cost of the answers whose bills were looked for
     * @param billedNanos what the ledger says of the same
     */
    public record Outcome(List<Difference> differences, long requests, long answersNanos, long billedNanos) {
        public Outcome {
            differences = List.copyOf(differences);
        }
    }

    private Reconciler(Evidence.Intake intake, Evidence.Work work, Instant settled) {
        this.intake = intake;
        this.work = work;
        this.settled = settled;
    }

    /**
     * Compares.
     *
     * @param intake at least the window's lifecycle events
     * @param work the window's snapshots and endings
     * @param settled what happened later may not be seen everywhere yet
     * @param ledger the rows about the window's requests; empty when there is no ledger to ask
     * @param states the stored state of a request, for those without an ending in the window; empty when nobody can say now
     */
    public static Outcome compare(
            Evidence.Intake intake,
            Evidence.Work work,
            Instant settled,
            Optional<Ledger> ledger,
            Function<String, Stored> states) {
        Reconciler reconciler = new Reconciler(intake, work, settled);
        reconciler.endings(states);
        reconciler.snapshots();
        long[] sums = ledger.map(reconciler::ledger).orElse(new long[2]);
        return new Outcome(reconciler.differences, reconciler.checked, sums[0], sums[1]);
    }

    /** Compares what stands in one window. */
    public static Outcome compare(
            KafkaEvidence.Window window, Instant settled, Optional<Ledger> ledger, Function<String, Stored> states) {
        return compare(window.intake(), window.work(), settled, ledger, states);
    }

    /** What the store says. */
    public sealed interface Stored {
        record Known(RequestState.Status status) implements Stored {}

        record Unknown() implements Stored {}

        /** The partition is moving or somewhere else. */
        record NotSaid() implements Stored {}
    }

    private void endings(Function<String, Stored> states) {
        Map<SourcePosition, List<Ending>> endings =
                work.endings().stream().collect(Collectors.groupingBy(Ending::source));
        for (Transition accepted : intake.transitions()) {
            if (!accepted.accepts() || !accepted.at().isBefore(settled)) {
                continue;
            }
            checked++;
            List<Ending> found = endings.getOrDefault(accepted.source(), List.of());
            if (found.size() > 1) {
                differ(
                        Check.ENDINGS,
                        accepted.requestId(),
                        found.size() + " endings of the request at " + accepted.source());
            } else if (found.isEmpty()) {
                unended(accepted, states.apply(accepted.requestId()));
            }
        }
    }

    private void unended(Transition accepted, Stored stored) {
        switch (stored) {
            case Stored.Known(var status) -> {
                if (status == RequestState.Status.COMMITTED || status == RequestState.Status.FAILED) {
                    differ(
                            Check.ENDINGS,
                            accepted.requestId(),
                            "the store says " + status + ", no topic has its ending");
                }
            }
            case Stored.Unknown unknown ->
                differ(
                        Check.ENDINGS,
                        accepted.requestId(),
                        "accepted at " + accepted.at() + ", and neither ended nor open");
            case Stored.NotSaid moving -> {}
        }
    }

    private void snapshots() {
        Map<String, List<Recorded>> recorded = recorded();
        recorded.forEach((id, answers) -> {
            if (answers.size() > lives(id)) {
                differ(Check.SNAPSHOTS, id, answers.size() + " answers recorded for " + lives(id) + " requests");
            }
            answers.stream()
                    .filter(answer -> !answer.sha256().equals(answer.computedSha256()))
                    .forEach(answer ->
                            differ(Check.SNAPSHOTS, id, "the answer's bytes do not have the digest it states"));
        });
        work.endings()
                .forEach(ending -> ending.snapshotSha256()
                        .filter(sha -> recorded.containsKey(ending.requestId()))
                        .filter(sha -> recorded.get(ending.requestId()).stream()
                                .noneMatch(answer -> answer.sha256().equals(sha)))
                        .ifPresent(sha -> differ(
                                Check.SNAPSHOTS, ending.requestId(), "it ended with an answer that is not its own")));
    }

    /** An id may be used again after its dedup window; a window that begins between the two lives sees one. */
    private long lives(String id) {
        return Math.max(
                1,
                intake.transitions().stream()
                        .filter(Transition::accepts)
                        .filter(accepted -> accepted.requestId().equals(id))
                        .count());
    }

    private Map<String, List<Recorded>> recorded() {
        return work.snapshots().stream().collect(Collectors.groupingBy(Recorded::requestId));
    }

    private long[] ledger(Ledger ledger) {
        effects(ledger);
        return bills(ledger);
    }

    private long[] bills(Ledger ledger) {
        Map<String, List<Bill>> bills = ledger.bills().stream().collect(Collectors.groupingBy(Bill::requestId));
        Map<String, List<Recorded>> recorded = recorded();
        long[] sums = new long[2];
        for (Ending ending : settledEndings()) {
            Optional<Recorded> answer = ending.snapshotSha256()
                    .flatMap(sha -> recorded.getOrDefault(ending.requestId(), List.of()).stream()
                            .filter(one -> one.sha256().equals(sha))
                            .findFirst());
            if (answer.isEmpty() || !isBilled(ending)) {
                continue;
            }
            sums[0] += answer.get().costNanos();
            List<Bill> rows = bills.getOrDefault(ending.requestId(), List.of()).stream()
                    .filter(bill -> bill.snapshotSha256().equals(answer.get().sha256()))
                    .toList();
            rows.stream().limit(1).forEach(bill -> sums[1] += bill.costNanos());
            judge(ending.requestId(), answer.get(), rows);
        }
        return sums;
    }

    /** With billing switched off there is no such effect. */
    private static boolean isBilled(Ending ending) {
        return ending.effects().stream()
                .anyMatch(effect -> effect.effectId().equals(ending.requestId() + ":0.0")
                        && effect.status().equals("SUCCEEDED"));
    }

    private void judge(String id, Recorded answer, List<Bill> rows) {
        if (rows.isEmpty()) {
            differ(Check.BILLS, id, "its answer is not billed");
        } else if (rows.size() > 1) {
            differ(Check.BILLS, id, "its answer is billed " + rows.size() + " times");
        } else if (rows.getFirst().costNanos() != answer.costNanos()) {
            differ(
                    Check.BILLS,
                    id,
                    "its answer cost %d nanos, billed are %d"
                            .formatted(answer.costNanos(), rows.getFirst().costNanos()));
        }
    }

    private void effects(Ledger ledger) {
        Map<String, List<LedgerEffect>> rows =
                ledger.effects().stream().collect(Collectors.groupingBy(LedgerEffect::effectId));
        for (Ending ending : settledEndings()) {
            for (EffectEnd effect : ending.effects()) {
                if (effect.status().equals("SUCCEEDED")
                        && rows.getOrDefault(effect.effectId(), List.of()).stream()
                                .noneMatch(isDone())) {
                    differ(
                            Check.EFFECTS,
                            ending.requestId(),
                            "it ended with %s done, the ledger says %s"
                                    .formatted(effect.effectId(), told(rows.get(effect.effectId()))));
                }
            }
        }
    }

    /** What was unknown or awaited when the ledger last heard of it may have been settled by a person or a callback since. */
    private static Predicate<LedgerEffect> isDone() {
        return row -> row.outcome()
                .filter(outcome ->
                        List.of("SUCCEEDED", "UNKNOWN", "AWAITING_CALLBACK").contains(outcome))
                .isPresent();
    }

    private static String told(List<LedgerEffect> rows) {
        return rows == null
                ? "nothing"
                : rows.stream()
                        .map(row -> row.status()
                                + row.outcome().map(one -> " " + one).orElse(""))
                        .collect(Collectors.joining(", "));
    }

    private List<Ending> settledEndings() {
        return work.endings().stream()
                .filter(ending -> ending.at().isBefore(settled))
                .toList();
    }

    private void differ(Check check, String id, String detail) {
        differences.add(new Difference(check, id, detail));
    }
}
