package io.hellogpt.once.ops.verify;

import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.verify.Evidence.Intake;
import io.hellogpt.once.ops.verify.Evidence.Received;
import io.hellogpt.once.ops.verify.Evidence.Rejected;
import io.hellogpt.once.ops.verify.Evidence.Transition;
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
        Set<SourcePosition> read = intake.received().stream().map(Received::at).collect(Collectors.toSet());
        dispositions.forEach((at, found) -> {
            if (!read.contains(at) && evidence.terms().missing().isEmpty()) {
                verdict.violated(found.get(0).requestId(), "is accounted for at " + at + ", where no request stands");
            }
        });
        evidence.terms().missing().forEach(verdict::incomplete);
        return verdict.build();
    }

    private static Map<SourcePosition, List<Disposition>> dispositions(Intake intake) {
        Map<SourcePosition, List<Disposition>> all = new HashMap<>();
        intake.transitions().stream()
                .filter(Transition::accepts)
                .forEach(event -> add(all, event.source(), "accepted", Optional.of(event.requestId())));
        intake.duplicates().forEach(record -> add(all, record.at(), "duplicate", Optional.of(record.requestId())));
        intake.rejected()
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
                        .filter(record -> !record.isConflict())
                        .count());
    }

    private static void judge(Received record, List<Disposition> found, Evidence.Terms terms, Verdict.Builder verdict) {
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
