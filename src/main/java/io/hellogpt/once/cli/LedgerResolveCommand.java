package io.hellogpt.once.cli;

import io.hellogpt.once.connect.ledger.LedgerDesk;
import io.hellogpt.once.connect.ledger.LedgerDesk.Finding;
import io.hellogpt.once.connect.ledger.LedgerDesk.Resolution;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.ops.CommandSender;
import io.hellogpt.once.ops.ExitCode;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code once ledger resolve}. */
@Command(
        name = "resolve",
        mixinStandardHelpOptions = true,
        header = "Say what became of an effect whose outcome is unknown; its request goes on.",
        description = {
            "",
            "Ask the receiver's owner first: what is said here is believed. It is written into the ledger, which is the source"
                    + " of truth for the effect, so that every later attempt is answered with it; then the request is told by an"
                    + " operator command, on which the application acts.",
            "",
            "May be repeated: when telling the request failed, the same call tells it again under the same command_id, and"
                    + " changes nothing else. An application that was told in another way, or whose request has ended, refuses"
                    + " the command on its audit log."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  once ledger resolve contract-1:0.1 succeeded --reason 'envelope 77 is signed'",
            "  once ledger resolve contract-1:0.1 failed --reason 'not in the portal' --actor anna"
        })
final class LedgerResolveCommand implements Callable<Integer> {
    /** What can be said. */
    enum End {
        succeeded(Verb.RESOLVE_SUCCEEDED),
        failed(Verb.RESOLVE_FAILED);

        private final Verb verb;

        End(Verb verb) {
            this.verb = verb;
        }
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private Connection connection;

    @Mixin
    private LedgerLogin login;

    @Parameters(
            index = "0",
            paramLabel = "EFFECT_ID",
            converter = EffectIds.class,
            description = "Such as contract-1:0.1.")
    private EffectId id;

    @Parameters(index = "1", paramLabel = "END", description = "One of: ${COMPLETION-CANDIDATES}.")
    private End end;

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why you know; kept for the audit.")
    private String reason;

    @Option(
            names = "--actor",
            paramLabel = "WHO",
            defaultValue = "${sys:user.name}",
            description = "Who says so; kept for the audit. Default: ${DEFAULT-VALUE}.")
    private String actor;

    @Option(
            names = "--ledger-only",
            description = "Tell no request: for a connector that somebody else's application writes effects for.")
    private boolean ledgerOnly;

    @Override
    public Integer call() throws IOException, SQLException {
        try (LedgerDesk desk = login.open()) {
            return switch (desk.resolve(new Finding(id, end == End.succeeded, actor, reason))) {
                case Resolution.Refused refused -> {
                    spec.commandLine().getErr().println("once: " + refused.why());
                    yield ExitCode.BAD_INPUT.code();
                }
                case Resolution.Done done -> tell(done);
            };
        }
    }

    private int tell(Resolution.Done done) {
        spec.commandLine()
                .getOut()
                .println(id + (done.before() ? " had ended as " : " is resolved as ") + end + " in the ledger");
        if (ledgerOnly) {
            return ExitCode.OK.code();
        }
        String commandId = "ledger:" + id + ":" + done.line().receivedAt() + ":" + done.token();
        OperatorCommand command =
                new OperatorCommand(commandId, id.requestId(), end.verb, Optional.of(id), actor, reason, Instant.now());
        try (CommandSender sender = new CommandSender(connection.config())) {
            sender.send(command);
        }
        spec.commandLine().getOut().println("its request is told: command_id " + commandId);
        return ExitCode.OK.code();
    }
}
