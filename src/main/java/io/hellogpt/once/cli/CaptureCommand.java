package io.hellogpt.once.cli;

import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.replay.RedactedCapture;
import io.hellogpt.once.replay.capture.Capture;
import io.hellogpt.once.replay.capture.CaptureReader;
import io.hellogpt.once.replay.capture.CaptureRequest;
import io.hellogpt.once.replay.capture.Manifest;
import io.hellogpt.once.replay.capture.UnusableCaptureException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code once capture}. */
@Command(
        name = "capture",
        mixinStandardHelpOptions = true,
        header = "Write what happened into one file that can be replayed.",
        description = {
            "",
            "Reads the steps of every task, the records they read and everything they wrote, committed records only. Give it the"
                    + " configuration of an instance: the settings a replay depends on go into the file. An interrupted capture"
                    + " goes on where it was when it is repeated."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the file is whole",
            "2:what is needed is no longer on the topics, or FILE cannot be used",
            "3:the cluster cannot be reached"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  once capture --out all.avro",
            "  once capture --from 2026-03-01T12:00:00Z --to 2026-03-01T13:00:00Z --out noon.avro",
            "  once capture --ids contract-7,contract-9 --redact --out incident.avro",
            "  once capture --show incident.avro"
        })
final class CaptureCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Connection connection;

    @ArgGroup(multiplicity = "1")
    private Target target;

    private static final class Target {
        @Option(names = "--out", paramLabel = "FILE", description = "The file to write.")
        private Path out;

        @Option(
                names = "--show",
                paramLabel = "FILE",
                description = "Print the manifest of a capture, as JSON, and read no topic.")
        private Path show;
    }

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Steps taken from then on (ISO 8601, UTC). Requests that began before are left out.")
    private String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Steps taken before then (ISO 8601, UTC).")
    private String to;

    @Option(
            names = "--ids",
            paramLabel = "ID",
            split = ",",
            description =
                    "The whole lives of these requests only; @FILE names a file with one id a line. What others did to"
                            + " them (who got a slot, which timers fired in one look) is kept where it shows.")
    private List<String> ids = List.of();

    @Option(
            names = "--redact",
            description =
                    "Replace prompts, answers, payloads and free text by digests, the same text by the same digest, under a"
                            + " key that is thrown away. Requests whose course depends on their text are left out.")
    private boolean redact;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            if (target.show != null) {
                try (CaptureReader reader = CaptureReader.open(target.show)) {
                    out.println(reader.manifest().json().toPrettyString());
                }
            } else {
                Manifest manifest = capture();
                out.printf("%s: %s, %s%n", target.out, size(target.out), words(manifest));
            }
            out.flush();
            return ExitCode.OK.code();
        } catch (UnusableCaptureException unusable) {
            spec.commandLine().getErr().println("once: " + unusable.getMessage());
            return ExitCode.INCOMPLETE.code();
        }
    }

    private Manifest capture() throws IOException {
        CaptureRequest request =
                new CaptureRequest(time("--from", from), time("--to", to), Set.copyOf(requested()), target.out);
        Progress progress = new Progress(spec.commandLine().getErr());
        Manifest manifest =
                new Capture(connection.config(), request, (done, all) -> progress.show(done, all, "offsets")).run();
        progress.end();
        return redact ? RedactedCapture.replace(target.out) : manifest;
    }

    private Set<String> requested() throws IOException {
        Set<String> all = new TreeSet<>();
        for (String id : ids) {
            if (id.startsWith("@")) {
                Files.readAllLines(Path.of(id.substring(1))).stream()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .forEach(all::add);
            } else {
                all.add(id.strip());
            }
        }
        return all;
    }

    private Optional<Instant> time(String option, String text) {
        try {
            return Optional.ofNullable(text).map(Instant::parse);
        } catch (DateTimeParseException wrong) {
            throw new ParameterException(
                    spec.commandLine(), option + " takes a time like 2026-03-01T12:00:00Z, not '" + text + "'", wrong);
        }
    }

    private static String words(Manifest manifest) {
        String what = switch (manifest.selection()) {
            case EVERYTHING -> "everything that happened";
            case WHOLE_LIVES -> "the whole lives that began in the span";
            case IDS -> "the requests asked for";
        };
        return what
                + (manifest.leftOut() == 0 ? "" : "; %,d requests are left out".formatted(manifest.leftOut()))
                + (manifest.redacted() ? "; redacted" : "");
    }

    private static String size(Path file) throws IOException {
        return "%,d KB".formatted((Files.size(file) + 1023) / 1024);
    }
}
