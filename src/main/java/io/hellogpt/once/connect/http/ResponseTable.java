package io.hellogpt.once.connect.http;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Responses;
import io.hellogpt.once.connect.config.Responses.Meaning;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.receiver.Verdicts;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What each response means for each class, in Markdown, found out by asking the code that decides. */
public final class ResponseTable {
    private static final int ANY = 299;
    private static final Optional<Duration> TOLD = Optional.of(Duration.ofSeconds(1));

    private ResponseTable() {}

    /** One row per meaning of a status, and the ways in which there is no status. */
    public static String markdown() {
        StringBuilder table =
                new StringBuilder("| the receiver | " + columns(name -> name) + " |\n|---" + "|---".repeat(4) + "|\n");
        for (Meaning meaning : Meaning.values()) {
            String statuses = "`" + meaning.key() + "`: " + meaning.standard().replace(",", ", ");
            if (meaning == Meaning.BUSY_IF_TOLD) {
                row(table, statuses + ", with Retry-After", verdicts -> asked(meaning, TOLD, verdicts));
                row(table, statuses + ", without", verdicts -> asked(meaning, Optional.empty(), verdicts));
            } else {
                row(table, statuses, verdicts -> asked(meaning, Optional.empty(), verdicts));
            }
        }
        row(table, "202, with `callback.timeout.ms`", ResponseTable::accepted);
        row(
                table,
                "connection reset, timeout, response headers over the limit",
                verdicts -> verdicts.inDoubt("", Optional.empty()));
        row(
                table,
                "refused connection, unknown or refused address, TLS that fails, no token: nothing left",
                verdicts -> verdicts.notSent(""));
        row(table, "payload too large or not as the schema has it: nothing left", verdicts -> verdicts.refused(""));
        return table.toString();
    }

    private static void row(StringBuilder table, String what, Function<Verdicts, Verdict> judge) {
        List<String> cells = new ArrayList<>();
        recoveries().forEach((name, recovery) -> cells.add(cell(recovery, judge)));
        table.append("| ")
                .append(what)
                .append(" | ")
                .append(String.join(" | ", cells))
                .append(" |\n");
    }

    private static String cell(Recovery recovery, Function<Verdicts, Verdict> judge) {
        Verdict first = judge.apply(new Verdicts(recovery, false));
        Verdict later = judge.apply(new Verdicts(recovery, true));
        String doubt = first.inDoubt() && first.result() == Result.RETRYABLE ? ", in doubt" : "";
        return first.result() + doubt + (later.result() == first.result() ? "" : " ¹");
    }

    private static Verdict asked(Meaning meaning, Optional<Duration> retryAfter, Verdicts verdicts) {
        Route.Contract contract =
                new Route.Contract(Optional.empty(), new Responses(Map.of(ANY, meaning)), Optional.empty());
        return new Classification(contract, verdicts).response(ANY, Optional.empty(), retryAfter);
    }

    private static Verdict accepted(Verdicts verdicts) {
        Route.Contract contract = new Route.Contract(Optional.empty(), Responses.standard(), TOLD);
        return new Classification(contract, verdicts).response(202, Optional.empty(), Optional.empty());
    }

    private static String columns(Function<String, String> cell) {
        return recoveries().keySet().stream().map(cell).collect(Collectors.joining(" | "));
    }

    private static Map<String, Recovery> recoveries() {
        Map<String, Recovery> recoveries = new LinkedHashMap<>();
        recoveries.put("KEYED", new Recovery.Keyed("Idempotency-Key", true, Duration.ofDays(1), Duration.ofMinutes(1)));
        recoveries.put("PROBEABLE", new Recovery.Probeable("http://h/{effect_id}", Duration.ofSeconds(1)));
        recoveries.put("OPAQUE", new Recovery.Opaque(false));
        recoveries.put("OPAQUE, at-least-once", new Recovery.Opaque(true));
        return recoveries;
    }
}
