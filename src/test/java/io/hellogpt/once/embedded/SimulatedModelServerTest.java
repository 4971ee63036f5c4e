package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedModelServerTest {
    private static final String CALL = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path dir;

    private SimulatedModelServer server;

    @BeforeEach
    void start() throws Exception {
        server = SimulatedModelServer.start(
                SimulatedModelConfig.logging(dir.resolve("logs/calls.jsonl")).withSeed(1));
    }

    @AfterEach
    void stop() {
        http.close();
        server.close();
    }

    @Test
    void faultsAreReplacedAtRunTime() throws Exception {
        assertThat(post("/v1/chat/completions", CALL).statusCode()).isEqualTo(200);

        assertThat(post("/admin/faults", "{\"unauthorized\":1}").statusCode()).isEqualTo(200);
        assertThat(post("/v1/chat/completions", CALL).statusCode()).isEqualTo(401);

        post("/admin/faults", "{}");
        assertThat(post("/v1/chat/completions", CALL).statusCode()).isEqualTo(200);
        assertThat(Files.readAllLines(dir.resolve("logs/calls.jsonl"))).hasSize(3);
    }

    @Test
    void anUnknownFaultIsRefusedAndNothingChanges() throws Exception {
        HttpResponse<String> answer = post("/admin/faults", "{\"gremlins\":1}");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("gremlins");
        assertThat(post("/v1/chat/completions", CALL).statusCode()).isEqualTo(200);
    }

    @Test
    void whatIsNoJsonIsABadRequestAndNoCall() throws Exception {
        assertThat(post("/v1/chat/completions", "{").statusCode()).isEqualTo(400);
        assertThat(Files.readAllLines(dir.resolve("logs/calls.jsonl"))).isEmpty();
    }

    @Test
    void answersAreHeldBackUntilTheyAreAskedFor() throws Exception {
        post("/admin/hold", "");
        var held = http.sendAsync(call("first", 1), HttpResponse.BodyHandlers.ofString());
        var other = http.sendAsync(call("second", 1), HttpResponse.BodyHandlers.ofString());
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> Files.readAllLines(dir.resolve("logs/calls.jsonl")).size() == 2);
        assertThat(held).isNotDone();

        server.release("second", 1);
        assertThat(other.get().statusCode()).isEqualTo(200);
        assertThat(held).isNotDone();

        post("/admin/release", "");
        assertThat(held.get().statusCode()).isEqualTo(200);
        assertThat(post("/v1/chat/completions", CALL).statusCode()).isEqualTo(200);
    }

    private HttpRequest call(String requestId, int attempt) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/v1/chat/completions"))
                .header("X-Client-Request-Id", requestId)
                .header("Idempotency-Key", requestId + ":" + attempt)
                .POST(HttpRequest.BodyPublishers.ofString(CALL))
                .build();
    }

    @Test
    void latencyIsBasePlusTokens() {
        assertThat(new SimulatedModelConfig.Latency(Duration.ofMillis(100), 0.5, 60).of(40))
                .isEqualTo(Duration.ofMillis(120));
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
