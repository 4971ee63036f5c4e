package io.hellogpt.once.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.WebServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConsolePagesTest {
    private static final Path FILES = Path.of("src/main/resources/console");

    private final HttpClient client = HttpClient.newHttpClient();
    private WebServer server;

    @BeforeEach
    void start() {
        server = WebServer.builder()
                .host("127.0.0.1")
                .port(0)
                .shutdownHook(false)
                .routing(routing -> new ConsolePages().accept(routing))
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop();
    }

    @Test
    void everyFileIsServedUnderThePolicy() throws Exception {
        for (Path file : files()) {
            String name = file.getFileName().toString();
            HttpResponse<String> answer = get(name.equals("index.html") ? "/" : "/console/" + name);

            assertThat(answer.statusCode()).as(name).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(Files.readString(file));
            assertThat(answer.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy)
                            .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                            .doesNotContain("unsafe", "*"));
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        }
        assertThat(get("/console/nothing.js").statusCode()).isEqualTo(404);
        assertThat(get("/console/..%2Fopenapi.yaml").statusCode()).isEqualTo(404);
    }

    @Test
    void nothingIsLoadedFromElsewhereAndNothingMakesHtmlOfText() throws IOException {
        for (Path file : files()) {
            assertThat(Files.readString(file))
                    .as(file.toString())
                    .doesNotContainPattern("https?://|[\"'(]//")
                    .doesNotContainPattern(
                            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\(|style=|\\son\\w+=\"");
        }
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(FILES)) {
            return all.toList();
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
