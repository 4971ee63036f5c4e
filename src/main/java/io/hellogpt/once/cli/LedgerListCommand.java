package io.hellogpt.once.cli;

import io.hellogpt.once.connect.ledger.LedgerDesk;
import io.hellogpt.once.connect.ledger.LedgerDesk.Line;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.ops.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once ledger list}. */
@Command(name = "list", mixinStandardHelpOptions = true, header = "List effects, the latest changed first.")
final class LedgerListCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private LedgerLogin login;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description =
                    "Only these: a result (SUCCEEDED, RETRYABLE, FAILED, UNKNOWN, AWAITING_CALLBACK, MALFORMED) or a"
                            + " status (STARTED, SETTLED, RELEASED, TOMBSTONED).")
    private String state;

    @Option(names = "--route", paramLabel = "NAME", description = "Only effects of this route.")
    private String route;

    @Option(names = "--request", paramLabel = "ID", description = "Only effects of this request_id.")
    private String request;

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "50",
            description = "At most N. Default: ${DEFAULT-VALUE}.")
    private int max;

    @Override
    public Integer call() throws IOException, SQLException {
        LedgerDesk.Filter filter = new LedgerDesk.Filter(
                Optional.ofNullable(state), Optional.ofNullable(route), Optional.ofNullable(request), max);
        try (LedgerDesk desk = login.open()) {
            List<Line> lines = desk.list(filter);
            PrintWriter out = spec.commandLine().getOut();
            lines.forEach(line -> out.println(text(line)));
            if (lines.size() == max) {
                spec.commandLine().getErr().println("there may be more: --max " + max + " is reached");
            }
            return ExitCode.OK.code();
        }
    }

    static String text(Line line) {
        return "%s  %-17s %-16s attempt %-3d %s%s"
                .formatted(
                        line.updatedAt(),
                        line.status().equals("SETTLED")
                                ? line.result().map(Result::name).orElse("")
                                : line.status(),
                        line.route(),
                        line.attempt(),
                        line.effectId(),
                        line.tombstoned() ? "  (compensated)" : "");
    }
}
