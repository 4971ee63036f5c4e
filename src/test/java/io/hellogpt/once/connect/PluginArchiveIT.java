package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The archive that is handed to strangers. */
class PluginArchiveIT {
    private ZipFile archive;

    @BeforeEach
    void open() throws IOException {
        Path target = Path.of(System.getProperty("once.connect.plugin.path")).getParent();
        try (Stream<Path> files = Files.list(target)) {
            archive = new ZipFile(
                    files.filter(file -> file.getFileName().toString().matches("hellogpt-once-connect-.*\\.zip"))
                            .findFirst()
                            .orElseThrow()
                            .toFile());
        }
    }

    @AfterEach
    void close() throws IOException {
        archive.close();
    }

    @Test
    void whatTheWorkerHasIsNotInside() {
        assertThat(jars())
                .isNotEmpty()
                .noneMatch(jar -> jar.matches("(kafka|connect|slf4j|logback|rocksdbjni|helidon|micrometer|picocli)-.*"))
                .noneMatch(jar -> jar.contains("streams"));
    }

    @Test
    void ourJarHasTheConnectorAndNoneOfTheApplication() throws IOException {
        ZipEntry own = entries().stream()
                .filter(entry -> entry.getName().matches(".*/lib/hellogpt-once-.*-connect\\.jar"))
                .findFirst()
                .orElseThrow();
        try (ZipInputStream jar = new ZipInputStream(archive.getInputStream(own))) {
            List<String> names = Stream.generate(() -> next(jar))
                    .takeWhile(name -> !name.isEmpty())
                    .filter(name -> !name.endsWith("/"))
                    .toList();
            assertThat(names)
                    .contains(
                            "META-INF/services/org.apache.kafka.connect.sink.SinkConnector",
                            "io/hellogpt/once/connect/EffectSinkConnector.class",
                            "io/hellogpt/once/connect/version.properties",
                            "once-ledger/V1__ledger.sql");
            assertThat(names.stream().filter(name -> name.endsWith(".class")))
                    .allMatch(name -> name.matches("io/hellogpt/once/(core|schema|connect)/.*"));
        }
    }

    private static String next(ZipInputStream jar) {
        try {
            ZipEntry entry = jar.getNextEntry();
            return entry == null ? "" : entry.getName();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theManifestSaysWhatACatalogueAsksFor() throws IOException {
        JsonNode manifest = json("manifest.json");

        assertThat(manifest.path("name").asText()).isEqualTo("hellogpt-once-connect");
        assertThat(manifest.path("version").asText()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(archive.getName()).contains(manifest.path("version").asText());
        assertThat(manifest.path("component_types").path(0).asText()).isEqualTo("sink");
        assertThat(manifest.path("owner").path("username").asText()).isNotEmpty();
        assertThat(manifest.path("license").path(0).path("name").asText()).isEqualTo("Apache-2.0");
        assertThat(manifest.toString()).doesNotContain("${");
    }

    @Test
    void whatAPersonNeedsIsInside() {
        assertThat(entries())
                .extracting(entry -> entry.getName().replaceFirst("^[^/]*/", ""))
                .contains(
                        "doc/README.md",
                        "doc/connector-guide.md",
                        "doc/connector.md",
                        "doc/connector.json",
                        "doc/LICENSE",
                        "doc/schemas/Effect.avsc",
                        "doc/schemas/EffectOutcome.avsc");
    }

    private List<String> jars() {
        return entries().stream()
                .map(ZipEntry::getName)
                .filter(name -> name.endsWith(".jar"))
                .map(name -> name.substring(name.lastIndexOf('/') + 1))
                .toList();
    }

    private List<? extends ZipEntry> entries() {
        return archive.stream().toList();
    }

    private JsonNode json(String name) throws IOException {
        ZipEntry found = entries().stream()
                .filter(entry -> entry.getName().endsWith("/" + name))
                .findFirst()
                .orElseThrow();
        try (InputStream in = archive.getInputStream(found)) {
            return new ObjectMapper().readTree(in);
        }
    }
}
