package io.hellogpt.once.replay;

import java.util.List;

/** A report as one HTML page that needs nothing else: no script, no font, no image. */
public final class ReportPage {
    private static final int MOST_ROWS = 2000;

    private static final String HEAD = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Replay: %1$s</title>
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #222; }
            h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
            .EQUAL { color: #1a7f37; } .DIVERGENT { color: #b42318; }
            table { border-collapse: collapse; width: 100%%; } td, th { border-bottom: 1px solid #ddd; padding: .35rem .5rem;
            text-align: left; vertical-align: top; } th { background: #f6f6f6; }
            td { font-family: ui-monospace, monospace; font-size: 13px; overflow-wrap: anywhere; }
            @media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } th { background: #262626; }
            td, th { border-color: #3a3a3a; } }
            </style>
            </head>
            <body>
            <h1>Replay of %1$s: <span class="%2$s">%3$s</span></h1>
            <p>%4$s</p>
            """;

    private ReportPage() {}

    public static String of(ReplayReport report) {
        String result = report.isEqual() ? "EQUAL" : "DIVERGENT";
        StringBuilder page = new StringBuilder(HEAD.formatted(
                escaped(report.capture()), result, result.toLowerCase(java.util.Locale.ROOT), summary(report)));
        if (!report.changes().isEmpty()) {
            page.append("<h2>Changed decisions</h2>\n<table>\n<tr><th>request_id</th><th>recorded</th><th>replayed</th>"
                    + "<th>effects recorded</th><th>effects replayed</th></tr>\n");
            report.changes().stream()
                    .limit(MOST_ROWS)
                    .forEach(change -> row(
                            page,
                            change.requestId(),
                            change.recorded(),
                            change.replayed(),
                            String.join("\n", change.effectsBefore()),
                            String.join("\n", change.effectsNow())));
            page.append("</table>\n").append(more(report.changes()));
        }
        if (!report.divergences().isEmpty()) {
            page.append("<h2>Differences</h2>\n<table>\n<tr><th>request_id</th><th>topic</th><th>at</th><th>field</th>"
                    + "<th>recorded</th><th>replayed</th></tr>\n");
            report.divergences().stream()
                    .limit(MOST_ROWS)
                    .forEach(each -> row(
                            page,
                            each.requestId(),
                            each.topic(),
                            each.at().toString(),
                            each.field(),
                            each.recorded(),
                            each.replayed()));
            page.append("</table>\n").append(more(report.divergences()));
        }
        return page.append("</body>\n</html>\n").toString();
    }

    private static String summary(ReplayReport report) {
        return "%,d steps, %,d requests; %,d output records equal in every field, %,d differences."
                        .formatted(
                                report.steps(),
                                report.requests(),
                                report.equal(),
                                report.divergences().size())
                + (report.leftOut() == 0
                        ? ""
                        : " %,d requests that began before the span are left out.".formatted(report.leftOut()));
    }

    private static String more(List<?> rows) {
        return rows.size() <= MOST_ROWS
                ? ""
                : "<p>%,d more are in the JSON report.</p>\n".formatted(rows.size() - MOST_ROWS);
    }

    private static void row(StringBuilder page, String... cells) {
        page.append("<tr>");
        for (String cell : cells) {
            page.append("<td>").append(escaped(cell)).append("</td>");
        }
        page.append("</tr>\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("\n", "<br>");
    }
}
