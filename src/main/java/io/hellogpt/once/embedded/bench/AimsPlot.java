package io.hellogpt.once.embedded.bench;

import java.util.List;

/** A bar per aim: how far each figure reaches towards it. The line is the aim; a bar beyond it is met. */
final class AimsPlot {
    private static final int LEFT = 60;
    private static final int LINE = 300;
    private static final int WIDTH = 760;
    private static final int STEP = 26;
    private static final double LONGEST = 2.0;

    private AimsPlot() {}

    static String of(List<Row> rows) {
        List<Row> judged = rows.stream().filter(row -> row.aim().isPresent()).toList();
        int height = 50 + judged.size() * STEP;
        StringBuilder out = new StringBuilder()
                .append(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">"
                                .formatted(WIDTH, height))
                .append("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>")
                .append("<text x=\"%d\" y=\"20\" text-anchor=\"middle\" fill=\"#555\">aim</text>"
                        .formatted(LEFT + LINE));
        int y = 30;
        for (Row row : judged) {
            Aim aim = row.aim().orElseThrow();
            double reached = aim.least() ? row.value() / aim.bound() : aim.bound() / Math.max(row.value(), 1e-9);
            int length = (int) (LINE * Math.clamp(reached, 0.01, LONGEST));
            out.append("<text x=\"8\" y=\"%d\">%s</text>".formatted(y + 14, row.id()))
                    .append("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"18\" fill=\"%s\"/>"
                            .formatted(LEFT, y, length, row.met() ? "#3a8f5c" : "#c4552d"))
                    .append("<text x=\"%d\" y=\"%d\" fill=\"#222\">%s %s</text>"
                            .formatted(LEFT + length + 6, y + 14, BenchReport.number(row.value()), row.unit()));
            y += STEP;
        }
        out.append("<line x1=\"%1$d\" x2=\"%1$d\" y1=\"26\" y2=\"%2$d\" stroke=\"#333\" stroke-dasharray=\"3 3\"/>"
                .formatted(LEFT + LINE, y));
        return out.append("</svg>\n").toString();
    }
}
