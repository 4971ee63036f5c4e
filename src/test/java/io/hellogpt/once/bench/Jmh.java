package io.hellogpt.once.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs every benchmark of this package; what {@code make jmh} calls. Writes {@code jmh.json} and {@code jmh.md}. */
public final class Jmh {
    private Jmh() {}

    /** Arguments: the directory the reports go to. */
    public static void main(String[] args) throws IOException, RunnerException {
        Path reports = Files.createDirectories(Path.of(args[0]));
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(HotPieces.class.getName())
                        .jvmArgs("-Xms512m", "-Xmx512m", "-XX:+UseG1GC")
                        .shouldFailOnError(true)
                        .resultFormat(ResultFormatType.JSON)
                        .result(reports.resolve("jmh.json").toString())
                        .build())
                .run();
        String table = table(results);
        Files.writeString(reports.resolve("jmh.md"), table);
        System.out.println(table);
    }

    private static String table(Collection<RunResult> results) {
        StringBuilder out = new StringBuilder("| piece | value | unit | error (99.9%) |\n|---|---:|---|---:|\n");
        for (RunResult each : results) {
            Result<?> result = each.getPrimaryResult();
            out.append("| %s | %.2f | %s | %.2f |%n"
                    .formatted(
                            name(each.getParams()), result.getScore(), result.getScoreUnit(), result.getScoreError()));
        }
        return out.toString();
    }

    private static String name(BenchmarkParams params) {
        String method = params.getBenchmark().substring(params.getBenchmark().lastIndexOf('.') + 1);
        String status = params.getParam("status");
        return status == null ? method : method + " " + status.toLowerCase(Locale.ROOT);
    }
}
