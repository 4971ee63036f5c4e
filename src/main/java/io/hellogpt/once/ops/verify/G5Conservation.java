package io.hellogpt.once.ops.verify;

import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.verify.Evidence.Intake;
import io.hellogpt.once.ops.verify.Evidence.Received;
import io.hellogpt.once.ops.verify.Evidence.Rejected;
import io.hellogpt.once.ops.verify.Evidence.Terms;
import io.hellogpt.once.ops.verify.Evidence.Transition;
import io.hellogpt.once.topology.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Every record on {@code requests} is accepted, a duplicate, a conflict or rejected: exactly one of these. */
final class G5Conservation implements Checker {
    private record Disposition(String kind, Optional<String> requestId) {}

    @Override
    public Verdict check(Evidence evidence) {
        Verdict.Builder verdict = Verdict.of(Guarantee.G5);
        Intake intake = evidence.intake();
        Map<SourcePosition, List<Disposition>> dispositions = dispositions(intake);
        count(intake, verdict);
        for (Received record : intake.received()) {
            judge(record, dispositions.getOrDefault(record.at(), List.of()), evidence.terms(), verdict);
        }
        nowhere(intake, dispositions, evidence.terms(), verdict);
        originals(intake, evidence.terms(), verdict);
        evidence.terms().missing().forEach(verdict::incomplete);
        return verdict.build();
    }

    private static void nowhere(
            Intake intake, Map<SourcePosition, List<Disposition>> dispositions, Terms terms, Verdict.Builder verdict) {
        Set<SourcePosition> read = intake.received().stream().map(Received::at).collect(Collectors.toSet());
        Map<Integer, Long> first = new HashMap<>();
        read.forEach(at -> first.merge(at.partition(), at.offset(), Math::min));
        dispositions.forEach((at, found) -> {
            // Retention deletes from the front only: behind the first record still there, nothing is missing.
            boolean deleted =
                    !terms.missing().isEmpty() && at.offset() < first.getOrDefault(at.partition(), Long.MAX_VALUE);
            if (!read.contains(at) && !deleted) {
                verdict.violated(found.get(0).requestId(), "is accounted for at " + at + ", where no request stands");
            }
        });
    }

    /** A duplicate is one of a request that was accepted, and says where that one stands. */
    private static void originals(Intake intake, Terms terms, Verdict.Builder verdict) {
        if (!terms.missing().isEmpty()) {
            // The acceptance itself may be what was deleted.
            return;
        }
        Map<String, Set<SourcePosition>> accepted = intake.transitions().stream()
                .filter(Transition::accepts)
                .collect(Collectors.groupingBy(
                        Transition::requestId, Collectors.mapping(Transition::source, Collectors.toSet())));
        intake.duplicates().stream()
                .filter(duplicate ->
                        !accepted.getOrDefault(duplicate.requestId(), Set.of()).contains(duplicate.original()))
                .forEach(duplicate -> verdict.violated(
                        duplicate.requestId(),
                        duplicate.at() + " was called a duplicate of " + duplicate.original()
                                + ", where no request of that id was accepted"));
    }

    private static Map<SourcePosition, List<Disposition>> dispositions(Intake intake) {
        Map<SourcePosition, List<Disposition>> all = new HashMap<>();
        intake.transitions().stream()
                .filter(Transition::accepts)
                .forEach(event -> add(all, event.source(), "accepted", Optional.of(event.requestId())));
        intake.duplicates().forEach(record -> add(all, record.at(), "duplicate", Optional.of(record.requestId())));
        intake.rejected().stream()
                .filter(G5Conservation::isRequest)
                .forEach(record ->
                        add(all, record.at(), record.isConflict() ? "conflicting" : "rejected", record.requestId()));
        return all;
    }

    private static void add(
            Map<SourcePosition, List<Disposition>> all, SourcePosition at, String kind, Optional<String> requestId) {
        all.computeIfAbsent(at, any -> new ArrayList<>(1)).add(new Disposition(kind, requestId));
    }

    private static void count(Intake intake, Verdict.Builder verdict) {
        verdict.count("read", intake.received().size());
        verdict.count(
                "accepted",
                intake.transitions().stream().filter(Transition::accepts).count());
        verdict.count("duplicate", intake.duplicates().size());
        verdict.count(
                "conflicting",
                intake.rejected().stream().filter(Rejected::isConflict).count());
        verdict.count(
                "rejected",
                intake.rejected().stream()
                        .filter(G5Conservation::isRequest)
                        .filter(record -> !record.isConflict())
                        .count());
    }

    /** Answers, outcomes and commands that cannot be read are rejected too; they never were requests. */
    private static boolean isRequest(Rejected record) {
        return record.at().topic().equals(Topics.REQUESTS);
    }

    private static void judge(Received record, List<Disposition> found, Terms terms, Verdict.Builder verdict) {
        if (found.size() > 1) {
            verdict.violated(
                    record.requestId(),
                    record.at() + " is accounted for more than once: "
                            + found.stream().map(Disposition::kind).toList());
        } else if (found.isEmpty() && terms.running()) {
            verdict.count("not read yet", 1);
            verdict.incomplete(record.at() + " is not accounted for yet");
        } else if (found.isEmpty()) {
            verdict.violated(record.requestId(), record.at() + " is not accounted for");
        }
    }
}
