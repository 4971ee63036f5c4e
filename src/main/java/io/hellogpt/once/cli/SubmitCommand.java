package io.hellogpt.once.cli;

import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.RequestSender;
import io.hellogpt.once.ops.RequestSender.Format;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code once submit}. */
@Command(
        name = "submit",
        mixinStandardHelpOptions = true,
        header = "Send requests from a file of JSON lines.",
        description = {
            "",
            "Each line is one request: {\"request_id\": \"contract-1\", \"model\": \"m\", \"input\": \"text\"}; the full form is in"
                    + " schemas/request.schema.json. Lines that are not valid requests are named with their number and not"
                    + " sent; the others are. A policy that is not installed here is warned of: only the instances know theirs."
                    + " Sending a file twice is safe: the second time all are duplicates.",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all lines were sent and acknowledged",
            "3:some were not acknowledged; send the file again",
            "8:some lines were refused"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  once submit requests.jsonl -b localhost:9092",
            "  generate-requests | once submit -",
            "  once submit --dry-run requests.jsonl     only look for bad lines"
        })
final class SubmitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "FILE", description = "JSON lines, UTF-8; - for standard input.")
    private String file;

    @Option(
            names = "--format",
            defaultValue = "avro",
            description = "How they are encoded: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Format format;

    @Option(names = "--dry-run", description = "Send nothing.")
    private boolean dryRun;

    @Override
    public Integer call() throws IOException {
        OnceConfig config = dryRun ? connection.config() : connection.cluster();
        List<String> lines = lines();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        RequestSender.Parsed parsed = RequestSender.parse(config, lines);
        parsed.refused().forEach(bad -> err.println("line " + bad.line() + ": " + bad.reason()));
        RequestSender.unknownPolicies(config, parsed.requests()).forEach(unknown -> err.println("warning: " + unknown));
        if (dryRun) {
            out.printf(
                    "%,d valid, %,d refused, none sent%n",
                    parsed.requests().size(), parsed.refused().size());
            return end(parsed, 0);
        }
        Progress progress = new Progress(err);
        int all = parsed.requests().size();
        RequestSender.Sent sent = RequestSender.send(
                config, parsed.requests(), format, acked -> progress.show(acked, all, "acknowledged"));
        progress.end();
        sent.failures().forEach(failure -> err.println("not sent: " + failure));
        out.printf(
                "%,d acknowledged, %,d not, %,d lines refused%n",
                sent.acknowledged(), sent.failures().size(), parsed.refused().size());
        return end(parsed, sent.failures().size());
    }

    private static int end(RequestSender.Parsed parsed, int notSent) {
        if (notSent > 0) {
            return ExitCode.UNREACHABLE.code();
        }
        return (parsed.refused().isEmpty() ? ExitCode.OK : ExitCode.BAD_INPUT).code();
    }

    private List<String> lines() throws IOException {
        if (file.equals("-")) {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                return reader.lines().toList();
            }
        }
        try {
            return Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
        } catch (NoSuchFileException missing) {
            throw new IOException("there is no file " + file, missing);
        }
    }
}
