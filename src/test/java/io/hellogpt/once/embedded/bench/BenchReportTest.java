package io.hellogpt.once.embedded.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.embedded.LoadReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BenchReportTest {
    @Test
    void anAimIsMissedOnItsOwnSideOnly() {
        assertThat(Aim.atLeast(0.35).isMetBy(0.35)).isTrue();
        assertThat(Aim.atLeast(0.35).isMetBy(0.34)).isFalse();
        assertThat(Aim.atMost(10).isMetBy(10)).isTrue();
        assertThat(Aim.atMost(10).isMetBy(10.1)).isFalse();
        assertThat(Aim.atLeast(0.35).isMetBy(Double.NaN)).isFalse();
        assertThat(Aim.atMost(10).isMetBy(Double.NaN)).isFalse();
    }

    @Test
    void aMissedAimIsSaidInEveryForm() {
        BenchReport report = BenchReport.begin("abc1234", Scale.QUICK);
        report.rows().add(Row.judged("B1", "share", 0.2, "ratio", Aim.atLeast(0.35), "why"));
        report.rows().add(Row.judged("B2", "latency", 7, "ms", Aim.atMost(10), ""));
        report.rows().add(Row.noted("B1a", "throughput", 12_345, "requests/s", ""));
        report.failures().add("B5: the broker ended");

        assertThat(report.json().path("rows").path(0).path("met").asBoolean(true))
                .isFalse();
        assertThat(report.json().path("rows").path(1).path("met").asBoolean()).isTrue();
        assertThat(report.json().path("rows").path(2).has("met")).isFalse();
        assertThat(report.json().path("failures").path(0).asText()).contains("B5");
        assertThat(report.table())
                .contains("| B1 | share | 0.200 | ratio | >= 0.35 | **no** |")
                .contains("| B2 | latency | 7.000 | ms | <= 10 | yes |")
                .contains("| B1a | throughput | 12,345 | requests/s |  |  |")
                .contains("Not carried out: B5: the broker ended");
        assertThat(AimsPlot.of(report.rows())).contains("B1", "B2").doesNotContain("B1a");
    }

    @Test
    void whatIsAnsweredOnTheWayToAnotherCanBeAskedFor() {
        assertThatCode(() -> new Bench.Plan(Scale.FULL, Set.of("B6", "B8"), "", Optional.empty()))
                .doesNotThrowAnyException();
    }

    @Test
    void aRequestThatEndedTwiceIsCountedOnce() {
        RepeatedIds endings = new RepeatedIds();
        List.of("a", "b", "a", "c", "a").forEach(endings::add);

        assertThat(endings.count()).isEqualTo(1);
    }

    @Test
    void aLatencyOfRequestsThatFailedIsNone() {
        LoadReport seen = new LoadReport(9, 9, 9, 1, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

        assertThatThrownBy(() -> SteadyLatency.requireNoneFailed(seen)).hasMessageContaining("1 of 9 requests");
    }

    @Test
    void aBenchmarkThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> new Bench.Plan(Scale.QUICK, Set.of("B99"), "", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("B99")
                .hasMessageContaining("B1");
    }
}
