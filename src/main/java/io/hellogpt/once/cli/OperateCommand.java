package io.hellogpt.once.cli;

import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.ops.CommandSender;
import io.hellogpt.once.ops.CommandSender.Answer;
import io.hellogpt.once.ops.ExitCode;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code once operate}. */
@Command(
        name = "operate",
        mixinStandardHelpOptions = true,
        header = "Tell the system what to do with one request.",
        description = {
            "",
            "Sends a command and waits for the answer. Who gave it, when and why goes into the audit log. What is not possible is"
                    + " refused with the reason and changes nothing.",
            "",
            "  retry               decide again, or give a failed or stuck effect another round of attempts",
            "  cancel              end the request; what was carried out is compensated where that is possible",
            "  approve, reject     a decision that is held for a person",
            "  resolve-succeeded   an UNKNOWN effect was carried out: you have checked",
            "  resolve-failed      an UNKNOWN effect was not carried out: you have checked",
            "  skip                go on without an effect",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was applied",
            "3:it was sent, but no instance has answered yet; it waits on its topic",
            "8:it was refused"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  once operate approve contract-1 --why \"limit raised for this customer\"",
            "  once operate resolve-succeeded contract-1 --effect contract-1:0.2 --why \"the mail is in the archive\""
        })
final class OperateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Connection connection;

    @Parameters(
            index = "0",
            paramLabel = "VERB",
            description = "retry, cancel, approve, reject, resolve-succeeded, resolve-failed or skip.")
    private String verb;

    @Parameters(index = "1", paramLabel = "ID", description = "The request_id.")
    private String id;

    @Option(names = "--why", required = true, paramLabel = "TEXT", description = "The reason, for the audit log.")
    private String reason;

    @Option(
            names = "--effect",
            paramLabel = "EFFECT_ID",
            description = "The effect it is about; `once status` shows the ids.")
    private String effect;

    @Option(
            names = "--as",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Who gives it, for the audit log. Default: the user of this session.")
    private String actor;

    @Option(
            names = "--command-id",
            paramLabel = "TEXT",
            description =
                    "Makes it idempotent: of two commands with one id the second does nothing. Default: a new one.")
    private String commandId;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long to wait for the answer. Default: ${DEFAULT-VALUE}.")
    private int patience;

    @Override
    public Integer call() {
        OperatorCommand command;
        try {
            command = command();
        } catch (IllegalArgumentException wrong) {
            spec.commandLine().getErr().println("once: " + wrong.getMessage());
            return ExitCode.USAGE.code();
        }
        try (CommandSender sender = new CommandSender(connection.cluster())) {
            return told(command, sender.sendAndHear(command, Duration.ofSeconds(patience)))
                    .code();
        }
    }

    private OperatorCommand command() {
        Verb asked;
        try {
            asked = Verb.valueOf(verb.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException("there is no verb " + verb + "; see `once operate --help`", unknown);
        }
        Optional<EffectId> about = Optional.ofNullable(effect).map(EffectId::parse);
        RequestId request = new RequestId(id);
        if (about.filter(one -> !one.requestId().equals(request)).isPresent()) {
            throw new IllegalArgumentException("effect " + effect + " does not belong to " + id);
        }
        String unique =
                Optional.ofNullable(commandId).orElseGet(() -> UUID.randomUUID().toString());
        return new OperatorCommand(unique, request, asked, about, actor, reason, Instant.now());
    }

    private ExitCode told(OperatorCommand command, Optional<Answer> answer) {
        PrintWriter out = spec.commandLine().getOut();
        if (answer.isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .printf(
                            "once: sent, but no instance has answered within %d s. Command %s waits on its topic, or it was given"
                                    + " before: a command id is heard once%n",
                            patience, command.commandId());
            return ExitCode.UNREACHABLE;
        }
        return switch (answer.get()) {
            case Answer.Applied applied -> {
                out.printf("%s: now %s (%s)%n", id, applied.state(), applied.detail());
                yield ExitCode.OK;
            }
            case Answer.Refused refused -> {
                spec.commandLine().getErr().printf("once: %s: %s%n", id, refused.detail());
                yield ExitCode.BAD_INPUT;
            }
        };
    }
}
