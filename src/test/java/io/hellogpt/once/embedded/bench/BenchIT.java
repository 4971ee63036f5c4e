package io.hellogpt.once.embedded.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark's shortest form: that it measures, not what. */
class BenchIT {
    @Test
    void eachQuestionIsAnsweredWithFiguresInTheReport(@TempDir Path dir) throws Exception {
        Path reports = dir.resolve("reports");
        Bench.Plan plan = new Bench.Plan(Scale.SMOKE, Set.of("B1", "B2"), "abc1234", Optional.empty());

        Bench.Result result = new Bench(dir.resolve("data"), reports, line -> {}).run(plan);

        assertThat(result.complete()).as(result.table()).isTrue();
        JsonNode report =
                new ObjectMapper().readTree(reports.resolve("report.json").toFile());
        assertThat(report.path("commit").asText()).isEqualTo("abc1234");
        assertThat(report.path("form").asText()).isEqualTo("smoke");
        assertThat(report.path("rows").findValuesAsText("id")).contains("B1", "B2");
        assertThat(report.path("rows"))
                .allSatisfy(row -> assertThat(row.path("value").asDouble()).isPositive());
        assertThat(reports.resolve("report.svg")).content().contains("<svg");
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }
}
