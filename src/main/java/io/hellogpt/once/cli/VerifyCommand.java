package io.hellogpt.once.cli;

import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.RequestRules;
import io.hellogpt.once.ops.Settings;
import io.hellogpt.once.ops.verify.Evidence;
import io.hellogpt.once.ops.verify.KafkaEvidence;
import io.hellogpt.once.ops.verify.LedgerEvidence;
import io.hellogpt.once.ops.verify.LogEvidence;
import io.hellogpt.once.ops.verify.Report;
import io.hellogpt.once.ops.verify.SteadyReading;
import io.hellogpt.once.ops.verify.Verifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once verify}. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        header = "Decide from the evidence whether the seven guarantees held.",
        description = {
            "",
            "Reads every topic from end to end, the connector's ledger, and the receivers' and the model's own logs where they are"
                    + " given. It asks no instance and believes no counter of the system. The whole evidence is held in memory:"
                    + " about 2 KB per request."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:held",
            "1:a guarantee is violated",
            "2:nothing is violated, but evidence is missing",
            "3:the cluster or the ledger cannot be reached"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  once verify -b localhost:9092 --ledger jdbc:postgresql://localhost:5432/once --ledger-user once",
            "  once verify --receiver-log signing.jsonl --receiver-log mail.jsonl --model-log calls.jsonl --crashes 2"
        })
final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Connection connection;

    @Option(
            names = "--ledger",
            paramLabel = "JDBC-URL",
            converter = LedgerUrl.class,
            description = "The connector's database. Without it G7 is not decided.")
    private String ledger;

    @Option(names = "--ledger-user", paramLabel = "NAME", description = "User of the database; may only need to read.")
    private String ledgerUser;

    @Option(
            names = "--ledger-password-file",
            paramLabel = "FILE",
            description = "File with the password; without it PGPASSWORD is used, if set.")
    private Path ledgerPasswordFile;

    @Option(
            names = "--receiver-log",
            paramLabel = "FILE",
            description = "A receiver's own log, JSON lines; may be repeated.")
    private List<Path> receiverLogs = List.of();

    @Option(
            names = "--model-log",
            paramLabel = "FILE",
            description = "The model's own log of calls, JSON lines; may be repeated.")
    private List<Path> modelLogs = List.of();

    @Option(
            names = "--crashes",
            paramLabel = "N",
            defaultValue = "0",
            description = "How many times an instance was killed: each may have repeated the calls in flight, at most"
                    + " model.max.in.flight, at most one per request.")
    private int crashes;

    @Option(names = "--running", description = "Work still goes on: what is unfinished is no violation.")
    private boolean running;

    @Option(names = "--json", description = "Everything, as one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException, SQLException {
        Report report = Verifier.verify(evidence(connection.cluster()));
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? report.json().toPrettyString() : report.table());
        out.flush();
        return switch (report.result()) {
            case HELD -> ExitCode.OK.code();
            case VIOLATED -> ExitCode.VIOLATED.code();
            case UNDECIDED -> ExitCode.INCOMPLETE.code();
        };
    }

    private Evidence evidence(OnceConfig config) throws IOException, SQLException {
        return SteadyReading.read(this::ledgerRows, rows -> evidence(config, rows));
    }

    private Optional<Evidence.Ledger> ledgerRows() throws IOException, SQLException {
        return ledger == null ? Optional.empty() : Optional.of(LedgerEvidence.read(ledger, login()));
    }

    private Evidence evidence(OnceConfig config, Optional<Evidence.Ledger> rows) throws IOException, SQLException {
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            KafkaEvidence topics = new KafkaEvidence(reader, RequestRules.decoder(config));
            Evidence.Work work = topics.work();
            Evidence.Intake intake = topics.intake();
            Evidence.Terms terms = new Evidence.Terms(
                    crashes,
                    config.number(Settings.MODEL_MAX_IN_FLIGHT),
                    config.duration(Settings.DEDUP_RETENTION),
                    running,
                    topics.missing());
            return new Evidence(intake, work, rows, LogEvidence.read(receiverLogs, modelLogs), terms);
        }
    }

    private Properties login() throws IOException {
        Properties login = new Properties();
        if (ledgerUser != null) {
            login.setProperty("user", ledgerUser);
        }
        if (ledgerPasswordFile != null) {
            login.setProperty("password", Files.readString(ledgerPasswordFile).strip());
        } else if (System.getenv("PGPASSWORD") != null) {
            login.setProperty("password", System.getenv("PGPASSWORD"));
        }
        return login;
    }
}
