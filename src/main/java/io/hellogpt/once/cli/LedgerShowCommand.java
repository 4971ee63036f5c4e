package io.hellogpt.once.cli;

import io.hellogpt.once.connect.ledger.LedgerDesk;
import io.hellogpt.once.connect.ledger.LedgerDesk.Line;
import io.hellogpt.once.connect.ledger.LedgerDesk.Sheet;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.ops.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code once ledger show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        header = "Show one effect and every outcome of its attempts; not what was sent, only how much.")
final class LedgerShowCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private LedgerLogin login;

    @Parameters(paramLabel = "EFFECT_ID", converter = EffectIds.class, description = "Such as contract-1:0.1.")
    private EffectId id;

    @Override
    public Integer call() throws IOException, SQLException {
        try (LedgerDesk desk = login.open()) {
            List<Sheet> sheets = desk.show(id);
            PrintWriter out = spec.commandLine().getOut();
            if (sheets.isEmpty()) {
                spec.commandLine().getErr().println("once: the ledger does not know " + id);
                return ExitCode.NOT_FOUND.code();
            }
            sheets.forEach(sheet -> print(sheet, out));
            return ExitCode.OK.code();
        }
    }

    private static void print(Sheet sheet, PrintWriter out) {
        Line line = sheet.line();
        out.println(line.effectId() + " of the request received at " + line.receivedAt());
        field(out, "route", line.route() + " (" + line.effectClass() + ")");
        field(out, "status", line.status() + (line.tombstoned() ? ", compensated" : ""));
        line.result().ifPresent(result -> field(out, "result", result + ": " + line.detail()));
        field(out, "attempt", line.attempt() + (line.inDoubt() ? ", an earlier send may have taken effect" : ""));
        line.reference().ifPresent(reference -> field(out, "reference", reference));
        line.deadline().ifPresent(deadline -> field(out, "callback until", deadline.toString()));
        line.leaseUntil().ifPresent(until -> field(out, "lease until", until.toString()));
        field(out, "sent", line.bodyBytes() + " bytes, fingerprint " + line.fingerprint());
        sheet.attempts()
                .forEach(attempt -> out.println("  %s  attempt %d  %s%s  by %s: %s"
                        .formatted(
                                attempt.at(),
                                attempt.attempt(),
                                attempt.result(),
                                attempt.fenced() ? " (fenced: came too late, not acted on)" : "",
                                attempt.by(),
                                attempt.detail())));
    }

    private static void field(PrintWriter out, String name, String value) {
        out.println("  %-15s %s".formatted(name, value));
    }
}
