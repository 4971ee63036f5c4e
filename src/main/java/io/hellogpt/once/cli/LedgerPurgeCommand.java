package io.hellogpt.once.cli;

import io.hellogpt.once.connect.ledger.LedgerDesk;
import io.hellogpt.once.ops.ExitCode;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code once ledger purge}. */
@Command(
        name = "purge",
        mixinStandardHelpOptions = true,
        header = "Remove effects that ended long ago, with their attempts.",
        description = {
            "",
            "Keeps what is open or unknown, and billing. The connector does the same by itself, by once.ledger.retention.ms. An"
                    + " effect that is read again after it was removed is carried out again: stay above the retention of the"
                    + " topic of effects."
        })
final class LedgerPurgeCommand implements Callable<Integer> {
    private static final int BATCH = 1_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private LedgerLogin login;

    @Option(
            names = "--older-than-days",
            paramLabel = "DAYS",
            defaultValue = "30",
            description = "How long ago an effect must have ended. Default: ${DEFAULT-VALUE}; at least 1.")
    private int days;

    @Override
    public Integer call() throws IOException, SQLException {
        if (days < 1) {
            throw new ParameterException(spec.commandLine(), "--older-than-days is at least 1, not " + days);
        }
        try (LedgerDesk desk = login.open()) {
            long removed = 0;
            int last = BATCH;
            while (last == BATCH) {
                last = desk.purge(Duration.ofDays(days), BATCH);
                removed += last;
            }
            spec.commandLine().getOut().println(removed + " effects removed");
            return ExitCode.OK.code();
        }
    }
}
