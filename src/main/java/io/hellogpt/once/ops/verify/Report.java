package io.hellogpt.once.ops.verify;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;

/**
 * All verdicts about one run.
 *
 * @param verdicts one per guarantee, in their order
 */
public record Report(List<Verdict> verdicts) {
    private static final int SHOWN = 10;

    public Report {
        verdicts = List.copyOf(verdicts);
    }

    /** The worst of the verdicts: violated, then undecided, then held. */
    public Verdict.Result result() {
        return verdicts.stream().map(Verdict::result).reduce(Verdict.Result.HELD, Report::worse);
    }

    private static Verdict.Result worse(Verdict.Result left, Verdict.Result right) {
        return left == Verdict.Result.VIOLATED || right == Verdict.Result.VIOLATED
                ? Verdict.Result.VIOLATED
                : left == Verdict.Result.UNDECIDED || right == Verdict.Result.UNDECIDED
                        ? Verdict.Result.UNDECIDED
                        : Verdict.Result.HELD;
    }

    /** One line for people: {@code exactly once: held}. */
    public String summary() {
        return switch (result()) {
            case HELD -> "exactly once: held";
            case UNDECIDED -> "exactly once: not decided, evidence is missing for " + named(Verdict.Result.UNDECIDED);
            case VIOLATED -> "exactly once: VIOLATED, see " + named(Verdict.Result.VIOLATED);
        };
    }

    private String named(Verdict.Result result) {
        return verdicts.stream()
                .filter(verdict -> verdict.result() == result)
                .map(verdict -> verdict.guarantee().name())
                .collect(Collectors.joining(", "));
    }

    /** A table with what was counted, then the violations and notes. */
    public String table() {
        StringBuilder out = new StringBuilder();
        for (Verdict verdict : verdicts) {
            out.append("%-2s  %-18s  %-9s  %s%n"
                    .formatted(
                            verdict.guarantee(),
                            verdict.guarantee().title(),
                            word(verdict.result()),
                            verdict.figures().entrySet().stream()
                                    .map(figure -> "%,d %s".formatted(figure.getValue(), figure.getKey()))
                                    .collect(Collectors.joining(", "))));
        }
        verdicts.forEach(verdict -> details(verdict, out));
        return out.append('\n').append(summary()).toString();
    }

    private static void details(Verdict verdict, StringBuilder out) {
        verdict.violations().stream()
                .limit(SHOWN)
                .forEach(violation -> out.append("    %s violated: %s %s%n"
                        .formatted(
                                verdict.guarantee(),
                                violation.requestId().orElse("(no request_id)"),
                                violation.what())));
        more(verdict.violations().size(), "violations", verdict, out);
        verdict.notes().stream()
                .limit(SHOWN)
                .forEach(note -> out.append("    %s note: %s%n".formatted(verdict.guarantee(), note)));
        more(verdict.notes().size(), "notes", verdict, out);
    }

    private static void more(int count, String what, Verdict verdict, StringBuilder out) {
        if (count > SHOWN) {
            out.append("    %s: %d more %s, see --json%n".formatted(verdict.guarantee(), count - SHOWN, what));
        }
    }

    private static String word(Verdict.Result result) {
        return switch (result) {
            case HELD -> "held";
            case VIOLATED -> "VIOLATED";
            case UNDECIDED -> "undecided";
        };
    }

    /** Everything, for programs. */
    public ObjectNode json() {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("result", result().name());
        ArrayNode list = root.putArray("verdicts");
        for (Verdict verdict : verdicts) {
            ObjectNode node = list.addObject();
            node.put("guarantee", verdict.guarantee().name());
            node.put("title", verdict.guarantee().title());
            node.put("result", verdict.result().name());
            ObjectNode figures = node.putObject("figures");
            verdict.figures().forEach(figures::put);
            ArrayNode violations = node.putArray("violations");
            verdict.violations().forEach(violation -> {
                ObjectNode one = violations.addObject();
                violation.requestId().ifPresentOrElse(id -> one.put("request_id", id), () -> one.putNull("request_id"));
                one.put("what", violation.what());
            });
            verdict.notes().forEach(node.putArray("notes")::add);
        }
        return root;
    }
}
