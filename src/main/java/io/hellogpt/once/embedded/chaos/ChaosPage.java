package io.hellogpt.once.embedded.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The report as one page that needs nothing else. */
final class ChaosPage {
    private static final String STYLE = """
            body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}
            h1 span.passed{color:#17722c}h1 span.failed{color:#b00020}
            table{border-collapse:collapse;margin:.5em 0 1.5em}td,th{padding:.15em .8em;border-bottom:1px solid #ddd;text-align:left}
            td.number{text-align:right;font-variant-numeric:tabular-nums}.bad{color:#b00020}small{color:#666}
            """;

    private final StringBuilder out = new StringBuilder();

    private ChaosPage() {}

    /** @param report as {@link ChaosReport#json} makes it */
    static String of(JsonNode report) {
        return new ChaosPage().page(report);
    }

    private String page(JsonNode report) {
        boolean passed = report.path("passed").asBoolean();
        out.append("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Chaos</title><style>")
                .append(STYLE)
                .append("</style>\n<h1>Chaos: <span class=\"")
                .append(passed ? "passed\">passed" : "failed\">FAILED")
                .append("</span></h1>\n");
        line("%s s of faults, %s at once; seed %s; %s new requests a second; longest stall %s ms; %s"
                .formatted(
                        text(report, "duration_seconds"),
                        text(report, "faults_at_once"),
                        text(report, "seed"),
                        text(report, "requests_per_second"),
                        text(report, "longest_stall_ms"),
                        report.path("librdkafka_producer").asBoolean()
                                ? "Java and librdkafka producers"
                                : "Java producers only, kcat is not installed"));
        list("Why it failed", report.path("problems"));
        list("Not possible on this machine", report.path("faults_not_available"));
        guarantees(report.path("guarantees").path("verdicts"));
        counts(report);
        faults(report);
        incidents(report.path("incidents"));
        return out.append("</html>\n").toString();
    }

    private void guarantees(JsonNode verdicts) {
        head("Guarantees", "", "", "result", "counted", "violations");
        for (JsonNode verdict : verdicts) {
            List<String> figures = new ArrayList<>();
            verdict.path("figures").properties().forEach(each -> figures.add(each.getValue() + " " + each.getKey()));
            List<String> violations = new ArrayList<>();
            verdict.path("violations")
                    .forEach(each -> violations.add(text(each, "request_id") + " " + text(each, "what")));
            row(
                    text(verdict, "guarantee"),
                    text(verdict, "title"),
                    text(verdict, "result"),
                    String.join(", ", figures),
                    String.join("; ", violations));
        }
        end();
    }

    private void counts(JsonNode report) {
        head("Requests", "", "count");
        report.path("counts")
                .properties()
                .forEach(each ->
                        row(each.getKey().replace('_', ' '), each.getValue().asText()));
        row(
                "calls per request",
                "%.3f".formatted(report.path("calls_per_request").asDouble()));
        end();
        table("Repeated calls", "around", report.path("repeated_calls_around"));
        table("Records sent", "by", report.path("records_sent"));
        table("Commands", "by a person", report.path("commands"));
        table("Callbacks", "orders reported", report.path("callbacks"));
        head("Effects", "class", "issued", "attempts", "carried out", "UNKNOWN at some time");
        report.path("effects")
                .properties()
                .forEach(each -> row(
                        each.getKey(),
                        text(each.getValue(), "issued"),
                        text(each.getValue(), "attempts"),
                        text(each.getValue(), "carried_out"),
                        text(each.getValue(), "unknown")));
        end();
    }

    private void table(String title, String what, JsonNode counts) {
        head(title, what, "count");
        counts.properties()
                .forEach(each ->
                        row(each.getKey().replace('_', ' '), each.getValue().asText()));
        end();
    }

    private void faults(JsonNode report) {
        head("Faults", "fault", "injected", "hit", "recovery, median ms", "slowest ms");
        for (JsonNode each : report.path("fault_counts")) {
            row(
                    text(each, "fault"),
                    text(each, "injected"),
                    text(each, "hit"),
                    text(each, "recovery_median_ms"),
                    text(each, "recovery_slowest_ms"));
        }
        end();
        head("In their order", "#", "fault", "target", "injected", "lasted ms", "recovery ms", "hit", "note");
        for (JsonNode each : report.path("faults")) {
            row(
                    text(each, "number"),
                    text(each, "fault"),
                    text(each, "target"),
                    text(each, "injected"),
                    text(each, "lasted_ms"),
                    text(each, "recovery_ms"),
                    text(each, "hit"),
                    text(each, "note"));
        }
        end();
    }

    private void incidents(JsonNode incidents) {
        head("Incidents nobody injected", "at", "what");
        incidents.forEach(each -> row(text(each, "at"), text(each, "what")));
        end();
    }

    private void list(String title, JsonNode items) {
        if (!items.isEmpty()) {
            out.append("<h2>").append(escaped(title)).append("</h2><ul class=\"bad\">");
            items.forEach(
                    each -> out.append("<li>").append(escaped(each.asText())).append("</li>"));
            out.append("</ul>\n");
        }
    }

    private void line(String text) {
        out.append("<p>").append(escaped(text)).append("</p>\n");
    }

    private void head(String title, String... columns) {
        out.append("<h2>").append(escaped(title)).append("</h2>\n<table><tr>");
        for (String column : columns) {
            out.append("<th>").append(escaped(column)).append("</th>");
        }
        out.append("</tr>\n");
    }

    private void row(String... cells) {
        out.append("<tr>");
        for (String cell : cells) {
            boolean number = cell.matches("[\\d.,]+");
            out.append(number ? "<td class=\"number\">" : "<td>")
                    .append(escaped(cell))
                    .append("</td>");
        }
        out.append("</tr>\n");
    }

    private void end() {
        out.append("</table>\n");
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText("");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
