package io.hellogpt.once.embedded.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The report of a run, as {@code report.json} for programs and {@code report.html} for people. */
final class ChaosReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** How the checker of calls names what it counts. */
    private static final String REPEATED = "repeated around ";

    private ChaosReport() {}

    static void write(ChaosRun run, Path dir) throws IOException {
        ObjectNode json = json(run);
        JSON.writerWithDefaultPrettyPrinter()
                .writeValue(dir.resolve("report.json").toFile(), json);
        Files.writeString(dir.resolve("report.html"), ChaosPage.of(json));
    }

    static ObjectNode json(ChaosRun run) {
        List<String> problems = ChaosRules.problems(run);
        ObjectNode root = JSON.createObjectNode();
        root.put("passed", problems.isEmpty());
        problems.forEach(root.putArray("problems")::add);
        root.put("seed", run.setting().seed());
        root.put("duration_seconds", run.setting().duration().toSeconds());
        root.put("requests_per_second", run.setting().perSecond());
        root.put("faults_at_once", run.setting().lanes());
        root.put("librdkafka_producer", run.limits().kcat());
        run.limits().unavailable().forEach(root.putArray("faults_not_available")::add);
        root.put("longest_stall_ms", run.happened().longestStall().toMillis());
        counts(root, "records_sent", run.happened().sent());
        counts(root, "commands", run.happened().commands());
        counts(root, "callbacks", run.happened().callbacks());
        figures(run.figures(), root);
        repeatedCalls(run, root);
        faults(run, root);
        ArrayNode incidents = root.putArray("incidents");
        run.happened()
                .incidents()
                .forEach(each ->
                        incidents.addObject().put("at", each.at().toString()).put("what", each.what()));
        root.put("replay", run.happened().replayDifference().orElse("equal"));
        ObjectNode missing = root.putObject("without_an_ending");
        run.happened().missing().forEach(missing::put);
        root.set("guarantees", run.verdict().json());
        return root;
    }

    private static void counts(ObjectNode root, String name, Map<String, Long> counts) {
        ObjectNode node = root.putObject(name);
        counts.forEach(node::put);
    }

    private static void figures(Figures figures, ObjectNode root) {
        ObjectNode counts = root.putObject("counts");
        figures.counts().forEach((name, count) -> counts.put(name.replace(' ', '_'), count));
        root.put("calls_per_request", figures.callsPerRequest());
        ObjectNode effects = root.putObject("effects");
        figures.effects()
                .forEach((effectClass, of) -> effects.putObject(effectClass)
                        .put("issued", of.issued())
                        .put("attempts", of.attempts())
                        .put("carried_out", of.carriedOut())
                        .put("unknown", of.unknown()));
    }

    /** A call that was made again, under each type of fault that was going on between the two. */
    private static void repeatedCalls(ChaosRun run, ObjectNode root) {
        ObjectNode around = root.putObject("repeated_calls_around");
        run.verdict().verdicts().stream()
                .flatMap(verdict -> verdict.figures().entrySet().stream())
                .filter(figure -> figure.getKey().startsWith(REPEATED))
                .forEach(figure -> around.put(figure.getKey().substring(REPEATED.length()), figure.getValue()));
    }

    private static void faults(ChaosRun run, ObjectNode root) {
        ArrayNode counts = root.putArray("fault_counts");
        for (FaultCounts.Row row : FaultCounts.rows(run.happened().faults())) {
            counts.addObject()
                    .put("fault", row.type())
                    .put("injected", row.injected())
                    .put("hit", row.hit())
                    .put("recovery_median_ms", row.median().toMillis())
                    .put("recovery_slowest_ms", row.slowest().toMillis());
        }
        ArrayNode list = root.putArray("faults");
        for (FaultRecord fault : run.happened().faults()) {
            ObjectNode node = list.addObject()
                    .put("number", fault.number())
                    .put("fault", fault.type().key())
                    .put("target", fault.target())
                    .put("injected", fault.injected().toString())
                    .put("hit", fault.hit())
                    .put("note", fault.note());
            fault.healed()
                    .ifPresent(at -> node.put(
                            "lasted_ms", Duration.between(fault.injected(), at).toMillis()));
            fault.recovery().ifPresent(took -> node.put("recovery_ms", took.toMillis()));
        }
    }
}
