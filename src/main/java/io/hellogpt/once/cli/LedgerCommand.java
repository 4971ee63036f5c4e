package io.hellogpt.once.cli;

import io.hellogpt.once.ops.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code once ledger}. */
@Command(
        name = "ledger",
        mixinStandardHelpOptions = true,
        header = "Look into the connector's ledger of effects, resolve what is unknown, remove what is old.",
        description = {
            "",
            "The ledger is the source of truth for whether an effect took effect; the application is for what its request does"
                    + " about that. Works beside running connectors."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  once ledger list --ledger jdbc:postgresql://db/once --state UNKNOWN",
            "  once ledger show contract-1:0.1 --ledger jdbc:postgresql://db/once",
            "  once ledger resolve contract-1:0.1 succeeded --reason 'envelope 77 is signed' --ledger jdbc:..."
        },
        subcommands = {
            LedgerListCommand.class,
            LedgerShowCommand.class,
            LedgerResolveCommand.class,
            LedgerPurgeCommand.class
        })
final class LedgerCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.OK.code();
    }
}
