package io.hellogpt.once.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is written under {@code docker/} for Prometheus and Grafana. */
public final class MonitoringFiles {
    static final Path ALERTS = Path.of("docker/prometheus/alerts.yml");
    static final Path ALERT_TESTS = Path.of("docker/prometheus/alerts.test.yml");
    static final Path PROMETHEUS = Path.of("docker/prometheus/prometheus.yml");
    static final Path DASHBOARDS = Path.of("docker/grafana");

    private static final Pattern NAME = Pattern.compile("\\b(?:once|kafka|jvm|process|system)_[a-z0-9_]+");

    private MonitoringFiles() {}

    /**
     * Every metric an alert or a panel uses is among those an instance offers.
     *
     * @param scrape what {@code /metrics} of a running instance answers
     */
    public static void assertEveryMetricExists(String scrape) {
        Set<String> offered = scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
        assertThat(offered).containsAll(used());
    }

    static Set<String> used() {
        Set<String> names = new TreeSet<>(namesIn(ALERTS));
        dashboards().forEach(dashboard -> names.addAll(namesIn(dashboard)));
        return names;
    }

    static Stream<Path> dashboards() {
        try (Stream<Path> files = Files.list(DASHBOARDS)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In expressions and in prose: neither may invent one. */
    static Set<String> namesIn(Path file) {
        Set<String> names = new TreeSet<>();
        Matcher found = NAME.matcher(read(file));
        while (found.find()) {
            names.add(found.group());
        }
        return names;
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
