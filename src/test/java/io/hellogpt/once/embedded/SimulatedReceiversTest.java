package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedReceiversTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KEY = "contract-1:0.1";

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path dir;

    private SimulatedReceivers receivers;

    @BeforeEach
    void start() {
        receivers = SimulatedReceivers.start(0, log(), ReceiverFaults.NONE, 1);
    }

    @AfterEach
    void stop() {
        receivers.close();
    }

    @Test
    void actsOncePerKeyWhetherQuotedOrBare() throws Exception {
        HttpResponse<String> first = sign(KEY, "{}");
        HttpResponse<String> again = sign("\"" + KEY + "\"", "{}");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body()).contains("\"id\":\"sig-");
        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(lines())
                .extracting(line -> line.path("executed").asBoolean())
                .containsExactly(true, false);
        assertThat(lines())
                .allSatisfy(line -> assertThat(line.path("request_id").asText()).isEqualTo("contract-1"));
    }

    @Test
    void actsOnceForManyAtOnce() throws Exception {
        HttpRequest request = post(SimulatedReceivers.SIGN, KEY, "{}");
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 20)
                .mapToObj(i -> http.sendAsync(request, BodyHandlers.ofString()))
                .toList();

        assertThat(answers.stream().map(answer -> answer.join().body()).distinct())
                .hasSize(1);
        assertThat(lines().stream().filter(line -> line.path("executed").asBoolean()))
                .hasSize(1);
        assertThat(lines()).hasSize(20);
    }

    @Test
    void aReceiverWithoutKeysActsEachTimeAndOneOfThemCanBeAsked() throws Exception {
        assertThat(get(SimulatedReceivers.CHARGES + "/contract-1%3A0.2").statusCode())
                .isEqualTo(404);

        HttpResponse<String> first = effect(SimulatedReceivers.CHARGES, "contract-1:0.2");
        HttpResponse<String> again = effect(SimulatedReceivers.CHARGES, "contract-1:0.2");
        effect(SimulatedReceivers.MAIL, "contract-1:0.3");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(again.body()).isNotEqualTo(first.body());
        assertThat(lines())
                .extracting(line -> line.path("executed").asBoolean())
                .containsExactly(true, true, true);
        HttpResponse<String> known = get(SimulatedReceivers.CHARGES + "/contract-1%3A0.2");
        assertThat(known.statusCode()).isEqualTo(200);
        assertThat(known.body()).isEqualTo(again.body());
        assertThat(get(SimulatedReceivers.CHARGES + "/contract-1%3A0.3").statusCode())
                .isEqualTo(404);
    }

    @Test
    void anOrderIsTakenAndLeftToSomebodyElse() throws Exception {
        HttpResponse<String> first = http.send(post(SimulatedReceivers.ORDERS, KEY, "{}"), BodyHandlers.ofString());
        HttpResponse<String> again = http.send(post(SimulatedReceivers.ORDERS, KEY, "{}"), BodyHandlers.ofString());

        assertThat(first.statusCode()).isEqualTo(202);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(lines())
                .hasSize(2)
                .allSatisfy(
                        line -> assertThat(line.path("executed").asBoolean()).isFalse());
    }

    @Test
    void whatIsImpossibleIsRefusedAndNotDone() throws Exception {
        assertThat(http.send(post(SimulatedReceivers.IMPOSSIBLE, KEY, "{}"), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(422);
        assertThat(lines()).noneMatch(line -> line.path("executed").asBoolean());
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI page = URI.create("http://127.0.0.1:" + receivers.port() + path);
        return http.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> effect(String path, String id) throws Exception {
        URI page = URI.create("http://127.0.0.1:" + receivers.port() + path);
        HttpRequest request = HttpRequest.newBuilder(page)
                .header("X-Effect-Id", id)
                .POST(BodyPublishers.ofString("{}"))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    @Test
    void refusesAKeyWithAnotherBodyAndARequestWithoutAKey() throws Exception {
        sign(KEY, "{}");

        assertThat(sign(KEY, "{\"a\":1}").statusCode()).isEqualTo(422);
        assertThat(http.send(
                                HttpRequest.newBuilder(uri(SimulatedReceivers.SIGN))
                                        .POST(BodyPublishers.ofString("{}"))
                                        .build(),
                                BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(400);
        assertThat(lines()).extracting(line -> line.path("status").asInt()).containsExactly(201, 422, 400);
        assertThat(lines())
                .extracting(line -> line.path("executed").asBoolean())
                .containsExactly(true, false, false);
    }

    @Test
    void hangsUpAfterActingWhenToldTo() throws Exception {
        faults("{\"error\":0,\"reset\":1,\"slow\":0,\"slow_millis\":0}");
        assertThatThrownBy(() -> sign(KEY, "{}")).isInstanceOf(IOException.class);

        faults("{\"error\":0,\"reset\":0,\"slow\":0,\"slow_millis\":0}");
        assertThat(sign(KEY, "{}").headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(lines().getFirst().path("fault").asText()).isEqualTo("reset");
        assertThat(lines().stream().filter(line -> line.path("executed").asBoolean()))
                .hasSize(1);
    }

    @Test
    void failsWithoutActingWhenToldTo() throws Exception {
        faults("{\"error\":1,\"reset\":0,\"slow\":0,\"slow_millis\":0}");

        assertThat(sign(KEY, "{}").statusCode()).isEqualTo(500);
        assertThat(lines())
                .extracting(line -> line.path("executed").asBoolean())
                .containsExactly(false);
    }

    @Test
    void remembersItsKeysThroughARestart() throws Exception {
        String before = sign(KEY, "{}").body();
        receivers.close();
        receivers = SimulatedReceivers.start(0, log(), ReceiverFaults.NONE, 1);

        assertThat(sign(KEY, "{}").body()).isEqualTo(before);
    }

    private void faults(String json) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(SimulatedReceivers.FAULTS))
                .POST(BodyPublishers.ofString(json))
                .build();
        assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(204);
    }

    private HttpResponse<String> sign(String key, String body) throws IOException, InterruptedException {
        return http.send(post(SimulatedReceivers.SIGN, key, body), BodyHandlers.ofString());
    }

    private HttpRequest post(String path, String key, String body) {
        return HttpRequest.newBuilder(uri(path))
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + receivers.port() + path);
    }

    private Path log() {
        return dir.resolve("receivers.jsonl");
    }

    private List<JsonNode> lines() throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        try (Stream<String> text = Files.lines(log())) {
            for (String line : text.toList()) {
                lines.add(JSON.readTree(line));
            }
        }
        return lines;
    }
}
