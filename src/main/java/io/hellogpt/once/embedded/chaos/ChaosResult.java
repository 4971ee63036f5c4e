package io.hellogpt.once.embedded.chaos;

import java.nio.file.Path;
import java.util.List;

/**
 * How a run ended.
 *
 * @param problems why it failed; empty when it passed
 * @param text what was seen, for people
 * @param directory with report, logs and log of faults
 */
public record ChaosResult(List<String> problems, String text, Path directory) {
    public ChaosResult {
        problems = List.copyOf(problems);
    }

    static ChaosResult of(ChaosRun run, Path directory) {
        StringBuilder text = new StringBuilder();
        run.figures().counts().forEach((name, count) -> text.append("  %-28s %,8d%n".formatted(name, count)));
        run.figures()
                .effects()
                .forEach((effectClass, of) ->
                        text.append("  effects %-20s %,8d carried out, %,d attempts, %,d UNKNOWN at some time%n"
                                .formatted(effectClass, of.carriedOut(), of.attempts(), of.unknown())));
        text.append(
                "  %-28s %8.3f%n".formatted("calls per request", run.figures().callsPerRequest()));
        text.append("  %-28s %,8d ms%n"
                .formatted("longest stall", run.happened().longestStall().toMillis()));
        run.happened()
                .commands()
                .forEach((name, count) -> text.append("  command %-20s %,8d%n".formatted(name, count)));
        run.happened()
                .callbacks()
                .forEach((name, count) -> text.append("  callback %-19s %,8d%n".formatted(name, count)));
        text.append(System.lineSeparator());
        for (FaultCounts.Row row : FaultCounts.rows(run.happened().faults())) {
            text.append("  %-28s %3d injected, %3d hit, recovery %,7d ms at most%n"
                    .formatted(
                            row.type(), row.injected(), row.hit(), row.slowest().toMillis()));
        }
        run.happened().incidents().forEach(each -> text.append("  incident: %s%n".formatted(each.what())));
        text.append(System.lineSeparator()).append(run.verdict().table());
        return new ChaosResult(ChaosRules.problems(run), text.toString(), directory);
    }

    public boolean passed() {
        return problems.isEmpty();
    }

    /** The last line. */
    public String summary() {
        String how = passed() ? "passed" : "FAILED: " + String.join("; ", problems);
        return "chaos: %s (report: %s)".formatted(how, directory.resolve("report.html"));
    }
}
