package io.hellogpt.once.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.api.Endpoint;
import io.hellogpt.once.api.access.TokenFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MonitoringFilesTest {
    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
    private static final Pattern EXPECTED = Pattern.compile("alertname=\"(\\w+)\"");

    @TempDir
    Path directory;

    @Test
    void prometheusTakesTheRulesAndTheAlertsFireAsTheirTestSays() throws Exception {
        assumePromtool();

        assertThat(promtool("check", "config", MonitoringFiles.PROMETHEUS.toString()))
                .isZero();
        assertThat(promtool("test", "rules", MonitoringFiles.ALERT_TESTS.toString()))
                .isZero();
    }

    @Test
    void anAlertThatDoesNotFireFailsItsTest() throws Exception {
        assumePromtool();
        Files.writeString(
                directory.resolve("alerts.yml"),
                MonitoringFiles.read(MonitoringFiles.ALERTS)
                        .replace("sum(once_effects_unknown) > 0", "sum(once_effects_unknown) > 7"));
        Path test = Files.copy(MonitoringFiles.ALERT_TESTS, directory.resolve("alerts.test.yml"));

        assertThat(promtool("test", "rules", test.toString())).isNotZero();
    }

    /** With tokens on, as they are in the stack on containers, a scrape without one gets 401. */
    @Test
    void prometheusHasATokenThatMayReadAndNothingElse() {
        Matcher file =
                Pattern.compile("credentials_file: (\\S+)").matcher(MonitoringFiles.read(MonitoringFiles.PROMETHEUS));
        assertThat(file.find()).isTrue();
        String token = MonitoringFiles.read(MonitoringFiles.PROMETHEUS.resolveSibling(file.group(1)));
        TokenFile tokens = new TokenFile(Path.of("docker/tokens"), Clock.systemUTC());

        assertThat(tokens.identify(Optional.of("Bearer " + token.strip()), Optional.empty())
                        .roles())
                .containsExactly(Endpoint.METRICS.role().orElseThrow());
    }

    @Test
    void everyAlertIsExpectedByTheTest() {
        assertThat(found(EXPECTED, MonitoringFiles.ALERT_TESTS)).isEqualTo(found(ALERT, MonitoringFiles.ALERTS));
    }

    @Test
    void everyPanelOfADashboardHasAnExpressionAndADescription() {
        assertThat(MonitoringFiles.dashboards()).isNotEmpty().allSatisfy(file -> {
            JsonNode dashboard = new ObjectMapper().readTree(file.toFile());
            assertThat(dashboard.path("panels")).isNotEmpty().allSatisfy(panel -> {
                if (!panel.path("type").asText().equals("row")) {
                    assertThat(panel.at("/targets/0/expr").asText()).isNotBlank();
                    assertThat(panel.path("description").asText()).isNotBlank();
                }
            });
        });
    }

    @Test
    void aMetricThatIsNotOfferedIsNamed() {
        assertThatThrownBy(() -> MonitoringFiles.assertEveryMetricExists("once_open{state=\"pending\"} 0\n"))
                .hasMessageContaining("once_effects_unknown");
    }

    private static Set<String> found(Pattern pattern, Path file) {
        Set<String> all = new TreeSet<>();
        Matcher matcher = pattern.matcher(MonitoringFiles.read(file));
        while (matcher.find()) {
            all.add(matcher.group(1));
        }
        return all;
    }

    private static void assumePromtool() {
        boolean installed = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
        if (!installed) {
            System.out.println(
                    "Alerts are not tested: promtool is not installed on this machine (apt install prometheus).");
        }
        assumeTrue(installed, "promtool is not installed");
    }

    private int promtool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("promtool.out").toFile())
                .start();
        return process.waitFor();
    }
}
