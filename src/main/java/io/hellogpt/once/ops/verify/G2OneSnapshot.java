package io.hellogpt.once.ops.verify;

import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.Recorded;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** At most one answer is recorded per request, it is unaltered, and the ending derives from it. */
final class G2OneSnapshot implements Checker {
    private record Slot(String requestId, int turn) {}

    @Override
    public Verdict check(Evidence evidence) {
        Verdict.Builder verdict = Verdict.of(Guarantee.G2);
        List<Recorded> snapshots = evidence.work().snapshots();
        verdict.count("snapshots", snapshots.size());
        snapshots.stream()
                .collect(Collectors.groupingBy(
                        snapshot -> new Slot(snapshot.requestId(), snapshot.turn()), Collectors.counting()))
                .forEach((slot, count) -> {
                    if (count > 1) {
                        verdict.violated(slot.requestId(), "has " + count + " snapshots");
                    }
                });
        snapshots.stream()
                .filter(snapshot -> !snapshot.sha256().equals(snapshot.computedSha256()))
                .forEach(snapshot -> verdict.violated(
                        snapshot.requestId(), "has a snapshot whose body does not have the digest it states"));
        endings(evidence, verdict);
        return verdict.build();
    }

    private static void endings(Evidence evidence, Verdict.Builder verdict) {
        Map<String, List<Recorded>> byId =
                evidence.work().snapshots().stream().collect(Collectors.groupingBy(Recorded::requestId));
        for (Ending ending : evidence.work().endings()) {
            List<Recorded> recorded = byId.getOrDefault(ending.requestId(), List.of());
            if (ending.committed() && ending.snapshotSha256().isEmpty()) {
                verdict.violated(ending.requestId(), "was committed without an answer");
            }
            ending.snapshotSha256()
                    .filter(sha -> recorded.stream()
                            .noneMatch(snapshot -> snapshot.sha256().equals(sha)))
                    .ifPresent(sha -> verdict.violated(
                            ending.requestId(), "ended with an answer that is not the recorded snapshot: " + sha));
        }
    }
}
