package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.embedded.chaos.FaultLog.Incident;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosReportTest {
    @TempDir
    Path dir;

    @Test
    void saysWhatWasCountedAndWhatWasDone() throws Exception {
        RunExample run = new RunExample();
        run.incidents.add(new Incident(RunExample.START, "instance-1 ended by itself", true, false));
        run.unavailable.add("disk_full: a tmpfs cannot be mounted here");

        run.figures.put("repeated around killed instance", 4L);

        JsonNode report = written(run);

        assertThat(report.path("passed").asBoolean()).isTrue();
        assertThat(report.at("/repeated_calls_around/killed instance").asLong()).isEqualTo(4);
        assertThat(report.path("seed").asLong()).isEqualTo(42);
        assertThat(report.path("longest_stall_ms").asLong()).isEqualTo(1234);
        assertThat(report.at("/counts/rejected_otherwise").asLong()).isEqualTo(10);
        assertThat(report.path("calls_per_request").asDouble()).isEqualTo(1.0);
        assertThat(report.at("/effects/OPAQUE/unknown").asLong()).isEqualTo(1);
        assertThat(report.path("fault_counts")).hasSize(FaultType.all().size());
        assertThat(report.at("/faults/0/recovery_ms").asLong()).isEqualTo(2_000);
        assertThat(report.at("/faults/0/lasted_ms").asLong()).isEqualTo(3_000);
        assertThat(report.at("/incidents/0/what").asText()).contains("ended by itself");
        assertThat(report.at("/guarantees/verdicts/0/result").asText()).isEqualTo("HELD");
        assertThat(page())
                .contains("passed", "disk_full: a tmpfs cannot be mounted here", "instance-1 ended by itself")
                .doesNotContain("http://", "https://", "<script");
    }

    @Test
    void aFailedRunSaysWhyAndItsTextCannotBreakThePage() throws Exception {
        RunExample run = new RunExample();
        run.missing.put("chaos-<b>", "PENDING");

        JsonNode report = written(run);

        assertThat(report.path("passed").asBoolean()).isFalse();
        assertThat(report.path("problems")).hasSize(1);
        assertThat(report.at("/without_an_ending/chaos-<b>").asText()).isEqualTo("PENDING");
        assertThat(page()).contains("FAILED", "chaos-&lt;b&gt;").doesNotContain("chaos-<b>");
    }

    @Test
    void theLastLineNamesTheReason() {
        RunExample run = new RunExample();
        assertThat(ChaosResult.of(run.run(), dir).summary()).startsWith("chaos: passed");

        run.counts.put("conflicts", 0L);
        ChaosResult failed = ChaosResult.of(run.run(), dir);
        assertThat(failed.passed()).isFalse();
        assertThat(failed.summary()).startsWith("chaos: FAILED").contains("conflicts", "report.html");
    }

    private JsonNode written(RunExample run) throws Exception {
        ChaosReport.write(run.run(), dir);
        return new ObjectMapper().readTree(dir.resolve("report.json").toFile());
    }

    private String page() throws Exception {
        return Files.readString(dir.resolve("report.html"));
    }

    @Test
    void theMedianOfTwoLiesBetweenThem() {
        FaultRecord quick = RunExample.fault(1, FaultType.all().getFirst(), true, "");
        FaultRecord slow = new FaultRecord(
                2,
                quick.type(),
                "x",
                quick.injected(),
                quick.healed(),
                quick.healed().map(healed -> healed.plusSeconds(4)),
                true,
                "");

        assertThat(FaultCounts.rows(List.of(slow, quick))).singleElement().satisfies(row -> {
            assertThat(row.median()).isEqualTo(Duration.ofSeconds(3));
            assertThat(row.slowest()).isEqualTo(Duration.ofSeconds(4));
        });
    }
}
