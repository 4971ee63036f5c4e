package io.hellogpt.once.embedded.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a run has found so far.
 *
 * @param commit the code's
 * @param failures benchmarks that could not be carried out, and why
 */
record BenchReport(
        String commit, Machine machine, Scale scale, Instant started, List<Row> rows, List<String> failures) {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    static BenchReport begin(String commit, Scale scale) {
        return new BenchReport(commit, Machine.here(), scale, Instant.now(), new ArrayList<>(), new ArrayList<>());
    }

    ObjectNode json() {
        ObjectNode all = JSON.createObjectNode();
        all.put("commit", commit);
        all.put("form", scale.name().toLowerCase(Locale.ROOT));
        all.put("started", started.truncatedTo(ChronoUnit.SECONDS).toString());
        all.put("seconds", ChronoUnit.SECONDS.between(started, Instant.now()));
        all.set("machine", JSON.valueToTree(machine));
        ArrayNode list = all.putArray("rows");
        for (Row row : rows) {
            ObjectNode each = list.addObject();
            each.put("id", row.id());
            each.put("what", row.what());
            each.put("value", row.value());
            each.put("unit", row.unit());
            row.aim().ifPresent(aim -> each.put("aim", aim.toString()).put("met", row.met()));
            each.put("detail", row.detail());
        }
        ArrayNode failed = all.putArray("failures");
        failures.forEach(failed::add);
        return all;
    }

    /** A table for people and for a code host. */
    String table() {
        StringBuilder out = new StringBuilder("| # | what | value | unit | aim | met |\n|---|---|---:|---|---|---|\n");
        for (Row row : rows) {
            out.append("| %s | %s | %s | %s | %s | %s |%n"
                    .formatted(
                            row.id(),
                            row.what(),
                            number(row.value()),
                            row.unit(),
                            row.aim().map(Aim::toString).orElse(""),
                            row.aim().map(aim -> row.met() ? "yes" : "**no**").orElse("")));
        }
        failures.forEach(failure -> out.append("%nNot carried out: %s%n".formatted(failure)));
        return out.toString();
    }

    void write(Path dir) throws IOException {
        Files.createDirectories(dir);
        JSON.writeValue(dir.resolve("report.json").toFile(), json());
        Files.writeString(dir.resolve("report.md"), table());
        Files.writeString(dir.resolve("report.svg"), AimsPlot.of(rows));
    }

    static String number(double value) {
        if (Math.abs(value) >= 100) {
            return "%,.0f".formatted(value);
        }
        return Math.abs(value) >= 10 ? "%.1f".formatted(value) : "%.3f".formatted(value);
    }
}
