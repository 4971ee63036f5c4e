package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.chaos.BackOffice.Manner;
import io.hellogpt.once.embedded.chaos.ChaosRun.Happened;
import io.hellogpt.once.embedded.chaos.FaultLog.Incident;
import io.hellogpt.once.ops.verify.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** When a run has passed: the guarantees held, every fault fired and was over, and the traffic was what it should be. */
final class ChaosRules {
    private static final int SHOWN = 5;

    private ChaosRules() {}

    /** Why the run has failed, one reason a line; empty when it has not. */
    static List<String> problems(ChaosRun run) {
        List<String> problems = new ArrayList<>();
        if (run.verdict().result() != Verdict.Result.HELD) {
            problems.add(run.verdict().summary());
        }
        faults(run, problems);
        endings(run.happened(), problems);
        traffic(run.figures(), problems);
        people(run.happened(), problems);
        Map<String, String> missing = run.happened().missing();
        if (!missing.isEmpty()) {
            problems.add("%d requests have no ending, e.g. %s"
                    .formatted(
                            missing.size(),
                            missing.entrySet().stream().limit(SHOWN).toList()));
        }
        run.happened()
                .replayDifference()
                .ifPresent(difference -> problems.add("the replay of the run is not equal: " + difference));
        return problems;
    }

    private static void faults(ChaosRun run, List<String> problems) {
        List<FaultRecord> faults = run.happened().faults();
        FaultCounts.missing(run.required(), run.setting().isLong(), faults)
                .forEach(never -> problems.add("the fault " + never + " never fired"));
        faults.stream()
                .filter(fault -> fault.healed().isEmpty())
                .forEach(fault -> problems.add("fault %d (%s of %s) was never over"
                        .formatted(fault.number(), fault.type().key(), fault.target())));
        faults.stream()
                .filter(fault -> fault.note().contains("healing failed"))
                .forEach(fault -> problems.add("fault %d (%s of %s): %s"
                        .formatted(fault.number(), fault.type().key(), fault.target(), fault.note())));
    }

    /** What keeps exactly-once by dying and being started again is worth nothing to anybody; a full disk leaves no choice. */
    private static void endings(Happened happened, List<String> problems) {
        happened.incidents().stream()
                .filter(Incident::gaveUp)
                .filter(incident -> happened.faults().stream()
                        .filter(fault -> fault.type().kind() == FaultKind.DISK_FULL)
                        .map(ChaosEvidence::disturbance)
                        .noneMatch(full -> !incident.at().isBefore(full.from())
                                && incident.at().isBefore(full.until())))
                .forEach(incident -> problems.add("no full disk explains that " + incident.what()));
    }

    /** Those who decide and those who call back have done all they can do, and none was cheated. */
    private static void people(Happened happened, List<String> problems) {
        Stream.of("APPROVE", "REJECT", "CANCEL")
                .filter(verb -> happened.commands().getOrDefault(verb + "_APPLIED", 0L) == 0)
                .forEach(verb -> problems.add("the command " + verb + " was never applied"));
        Stream.of(Manner.values())
                .filter(manner -> happened.callbacks().getOrDefault(manner.key(), 0L) == 0)
                .forEach(manner -> problems.add("no order was reported " + manner.key()));
        Stream.of(BackOffice.REFUSED, BackOffice.FORGED_AND_HEARD)
                .filter(wrong -> happened.callbacks().getOrDefault(wrong, 0L) > 0)
                .forEach(wrong -> problems.add(
                        "callbacks %s: %d".formatted(wrong, happened.callbacks().get(wrong))));
        happened.sent().entrySet().stream()
                .filter(each -> !each.getKey().equals(ChaosTraffic.GIVEN_UP) && each.getValue() == 0)
                .forEach(each -> problems.add("the producer " + each.getKey() + " sent nothing"));
    }

    /** A run that nobody tried to confuse proves nothing. */
    private static void traffic(Figures figures, List<String> problems) {
        Stream.of(
                        "accepted",
                        "duplicates",
                        "conflicts",
                        "rejected otherwise",
                        "committed",
                        "failed",
                        "failed with something undone",
                        "resolved by a person",
                        "settled by a callback")
                .filter(count -> figures.counts().getOrDefault(count, 0L) == 0)
                .forEach(count -> problems.add("the traffic had none of: " + count));
        Stream.of("LOCAL", "KEYED", "PROBEABLE", "OPAQUE")
                .filter(effectClass -> !figures.effects().containsKey(effectClass)
                        || figures.effects().get(effectClass).carriedOut() == 0)
                .forEach(effectClass -> problems.add("no effect of class " + effectClass + " was carried out"));
    }
}
