package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.chaos.FaultLog.Incident;
import io.hellogpt.once.ops.verify.Guarantee;
import io.hellogpt.once.ops.verify.Report;
import io.hellogpt.once.ops.verify.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A run that passed, which can be doctored. */
final class RunExample {
    static final Instant START = Instant.parse("2026-11-29T12:00:00Z");

    final List<FaultRecord> faults = new ArrayList<>();
    final List<Incident> incidents = new ArrayList<>();
    final Map<String, Long> counts = new LinkedHashMap<>();
    final Map<String, Figures.PerClass> effects = new TreeMap<>();
    final Map<String, String> missing = new TreeMap<>();
    final Map<String, Long> sent = new TreeMap<>(Map.of("java_avro", 9L, "librdkafka", 7L, ChaosTraffic.GIVEN_UP, 0L));
    final Map<String, Long> commands =
            new TreeMap<>(Map.of("APPROVE_APPLIED", 4L, "REJECT_APPLIED", 2L, "CANCEL_APPLIED", 3L));
    final Map<String, Long> callbacks = new TreeMap<>();
    final List<String> unavailable = new ArrayList<>();
    final Map<String, Long> figures = new LinkedHashMap<>(Map.of("accepted", 10L));
    List<FaultType> required = FaultType.all();
    Verdict.Result result = Verdict.Result.HELD;
    Duration duration = Duration.ofSeconds(60);

    Optional<String> replayDifference = Optional.empty();

    RunExample() {
        for (FaultType type : FaultType.all()) {
            faults.add(fault(faults.size() + 1, type, true, ""));
        }
        List.of(
                        "accepted",
                        "duplicates",
                        "conflicts",
                        "rejected otherwise",
                        "committed",
                        "failed",
                        "failed with something undone",
                        "resolved by a person",
                        "settled by a callback",
                        "model calls")
                .forEach(count -> counts.put(count, 10L));
        Stream.of(BackOffice.Manner.values()).forEach(manner -> callbacks.put(manner.key(), 2L));
        List.of("LOCAL", "KEYED", "PROBEABLE", "OPAQUE")
                .forEach(each -> effects.put(each, new Figures.PerClass(9, 12, 8, 1)));
    }

    static FaultRecord fault(int number, FaultType type, boolean hit, String note) {
        return new FaultRecord(
                number,
                type,
                "target-" + number,
                START,
                Optional.of(START.plusSeconds(3)),
                Optional.of(START.plusSeconds(5)),
                hit,
                note);
    }

    ChaosRun run() {
        return new ChaosRun(
                ChaosSettings.of(duration, 42),
                new Report(List.of(new Verdict(Guarantee.G1, result, figures, List.of(), List.of()))),
                new Figures(counts, effects),
                new ChaosRun.Happened(
                        faults,
                        incidents,
                        Duration.ofMillis(1234),
                        sent,
                        commands,
                        callbacks,
                        missing,
                        replayDifference),
                required,
                new ChaosRun.Limits(unavailable, true));
    }
}
