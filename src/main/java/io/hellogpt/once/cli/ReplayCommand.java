package io.hellogpt.once.cli;

import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.PolicySet;
import io.hellogpt.once.replay.Change;
import io.hellogpt.once.replay.Divergence;
import io.hellogpt.once.replay.Replay;
import io.hellogpt.once.replay.ReplayListener;
import io.hellogpt.once.replay.ReplayOptions;
import io.hellogpt.once.replay.ReplayReport;
import io.hellogpt.once.replay.ReportJson;
import io.hellogpt.once.replay.ReportPage;
import io.hellogpt.once.replay.capture.UnusableCaptureException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code once replay}. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        header = "Run a capture again and see every difference.",
        description = {
            "",
            "Takes every recorded step through the same topology, in the recorded order and at the recorded times, with the recorded"
                    + " answers and outcomes, and compares each record it writes with the recorded one, field by field. Nothing is"
                    + " sent anywhere."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:equal", "1:divergent", "2:the file cannot be replayed"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  once replay incident.avro",
            "  once replay incident.avro --until contract-7",
            "  once replay yesterday.avro --policy com.example.TomorrowsPolicy --html what-if.html"
        })
final class ReplayCommand implements Callable<Integer> {
    private static final int FIRST = 20;
    private static final int WIDTH = 60;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A capture.")
    private Path file;

    @Option(
            names = "--policy",
            paramLabel = "CLASS|NAME",
            description =
                    "Decide every request with this policy instead; the report says which decisions and effects change.")
    private String policy;

    @Option(names = "--config", paramLabel = "NAME=VALUE", description = "A setting with another value than recorded.")
    private Map<String, String> configuration = Map.of();

    @Option(
            names = "--until",
            paramLabel = "ID",
            description = "Print this request's states as they evolve, and stop at its end.")
    private String until;

    @Option(
            names = "--step",
            description =
                    "With --until: also print what each of its steps read and wrote. Alone: every step of every request.")
    private boolean step;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the whole report there, as JSON.")
    private Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "Write the report there, as one page.")
    private Path html;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Optional<RequestId> watched = Optional.ofNullable(until).map(RequestId::new);
        ReplayOptions options =
                new ReplayOptions(Optional.ofNullable(policy).map(this::policy), configuration, watched);
        ReplayListener listener =
                watched.isPresent() || step ? new StepPrinter(out, watched, step) : ReplayListener.NONE;
        ReplayReport report;
        try {
            report = Replay.of(file, options, listener);
        } catch (UnusableCaptureException unusable) {
            spec.commandLine().getErr().println("once: " + unusable.getMessage());
            return ExitCode.INCOMPLETE.code();
        }
        print(out, report);
        if (json != null) {
            Files.writeString(json, ReportJson.of(report).toPrettyString() + "\n");
        }
        if (html != null) {
            Files.writeString(html, ReportPage.of(report));
        }
        return report.isEqual() ? ExitCode.OK.code() : ExitCode.VIOLATED.code();
    }

    private DecisionPolicy policy(String name) {
        Optional<DecisionPolicy> installed =
                PolicySet.of(OnceConfig.of(Map.of())).find(name);
        if (installed.isPresent()) {
            return installed.get();
        }
        try {
            return (DecisionPolicy) Class.forName(name).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | ClassCastException missing) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--policy: '" + name
                            + "' is neither an installed policy nor a DecisionPolicy class with a constructor"
                            + " without parameters on the class path",
                    missing);
        }
    }

    private void print(PrintWriter out, ReplayReport report) {
        if (report.whatIf()) {
            out.printf(
                    "%,d requests would be decided otherwise%n",
                    report.changes().size());
            report.changes().stream().limit(FIRST).forEach(change -> print(out, change));
        } else {
            report.divergences().stream().limit(FIRST).forEach(each -> print(out, each));
        }
        int shown =
                report.whatIf() ? report.changes().size() : report.divergences().size();
        if (shown > FIRST) {
            out.printf("... and %,d more; --json FILE writes all%n", shown - FIRST);
        }
        out.printf(
                "%s: %,d requests, %,d steps, %,d output records equal, %,d differences%s; %,d requests a minute%n",
                report.isEqual() ? "equal" : "divergent",
                report.requests(),
                report.steps(),
                report.equal(),
                report.divergences().size(),
                report.leftOut() == 0 ? "" : "; %,d requests left out".formatted(report.leftOut()),
                report.speed());
        out.flush();
    }

    private static void print(PrintWriter out, Divergence each) {
        out.printf(
                "%s  %s%s%n    recorded %s%n    replayed %s%n",
                each.requestId(),
                each.topic(),
                each.field().startsWith("/") ? each.field() : " " + each.field(),
                cut(each.recorded()),
                cut(each.replayed()));
    }

    private static void print(PrintWriter out, Change change) {
        out.printf("%s%n    recorded %s%n", change.requestId(), change.recorded());
        change.effectsBefore().forEach(effect -> out.printf("             %s%n", cut(effect)));
        out.printf("    replayed %s%n", change.replayed());
        change.effectsNow().forEach(effect -> out.printf("             %s%n", cut(effect)));
    }

    private static String cut(String text) {
        return text.length() <= WIDTH * 2 ? text : text.substring(0, WIDTH * 2) + "...";
    }
}
