package io.hellogpt.once.api;

import static io.hellogpt.once.api.ApiRig.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hellogpt.once.embedded.HeldBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients are told when nothing more can be taken in, or nobody can be asked: one instance, a broker, and a model that obeys. */
class IntakeIT {
    private static final String LEASE = "{\"model\":\"m\",\"input\":\"a lease\",\"policy\":\"commit-only\"}";
    private static final String ANSWER =
            "{\"choices\":[{\"message\":{\"content\":\"yes\"}}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}";
    private static final int BACKLOG = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private HttpServer model;
    private HeldBroker brokers;
    private ApiRig rig;
    private volatile int status = 200;
    private final Object gate = new Object();
    private boolean shut;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        model = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        model.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        model.createContext("/", this::answer);
        model.start();
        brokers = HeldBroker.create(directory);
        rig = ApiRig.start(
                directory,
                brokers.broker(),
                List.of(Map.of(
                        "bootstrap.servers",
                        brokers.address(),
                        "model.client",
                        "openai",
                        "model.openai.base.url",
                        "http://127.0.0.1:" + model.getAddress().getPort() + "/v1",
                        "model.max.in.flight",
                        "1",
                        "http.backlog.max",
                        Integer.toString(BACKLOG))));
    }

    @AfterEach
    void stop() throws IOException {
        open();
        rig.close();
        brokers.close();
        model.stop(0);
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            call.getRequestBody().readAllBytes();
            synchronized (gate) {
                while (shut) {
                    gate.wait();
                }
            }
            byte[] body = ANSWER.getBytes(StandardCharsets.UTF_8);
            call.getResponseHeaders().add("Content-Type", "application/json");
            call.sendResponseHeaders(status, body.length);
            call.getResponseBody().write(body);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void shut() {
        synchronized (gate) {
            shut = true;
        }
    }

    private void open() {
        synchronized (gate) {
            shut = false;
            gate.notifyAll();
        }
    }

    private static String id() {
        return "lease-" + UUID.randomUUID();
    }

    private HttpResponse<String> awaitRefusal(int status) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> rig.submit(0, id(), LEASE), answer -> answer.statusCode() == status);
    }

    private static void assertLater(HttpResponse<String> answer, String slug, String detail) {
        assertThat(answer.statusCode()).as(answer.body()).isIn(429, 503);
        assertThat(json(answer).path("type").asText()).endsWith(":" + slug);
        assertThat(json(answer).path("detail").asText()).contains(detail);
        assertThat(answer.headers().firstValue("Retry-After"))
                .hasValueSatisfying(wait -> assertThat(Integer.parseInt(wait)).isPositive());
    }

    @Test
    void aBacklogIs429APauseIs503AndBothEnd() {
        shut();
        List<String> taken =
                IntStream.range(0, BACKLOG + 1).mapToObj(any -> id()).toList();
        taken.forEach(id -> assertThat(rig.submit(0, id, LEASE).statusCode()).isEqualTo(202));

        assertLater(awaitRefusal(429), "overloaded", BACKLOG + " requests or more wait");
        // What is known already is answered all the same: nothing new is taken in for it.
        HttpResponse<String> again = rig.submit(0, taken.getFirst(), LEASE);
        assertThat(again.statusCode()).as(again.body()).isEqualTo(202);
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");

        status = 401;
        open();
        HttpResponse<String> paused = awaitRefusal(503);
        assertLater(paused, "unavailable", "PAUSED_UNAUTHORIZED");
        assertThat(rig.get(0, "/v1/overview", "reader").body()).contains("\"gateway\":\"PAUSED_UNAUTHORIZED\"");
        HttpResponse<String> chat = rig.post(
                0,
                "/v1/chat/completions",
                "sender",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}",
                "Idempotency-Key",
                id());
        assertThat(chat.statusCode()).as(chat.body()).isEqualTo(503);
        assertThat(chat.headers().firstValue("Retry-After")).isPresent();

        status = 200;
        taken.forEach(id -> rig.awaitStatus(id, "COMMITTED"));
        // The backlog is counted every two seconds: until then a new request is told to come back.
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> rig.submit(0, id(), LEASE, "Prefer", "wait=30").statusCode() == 200);
    }

    @Test
    void whileStoresAreRestoredAKnownRequestIsNeverUnknown(@TempDir Path empty) {
        String id = id();
        assertThat(rig.submit(0, id, LEASE, "Prefer", "wait=30").statusCode()).isEqualTo(200);

        rig.instance(0).close();
        brokers.holdRestores();
        rig.replace(
                0,
                Map.of(
                        "bootstrap.servers",
                        brokers.address(),
                        "state.dir",
                        empty.toString(),
                        "model.client",
                        "simulated"));

        assertLater(rig.get(0, "/v1/requests/" + id, "reader"), "unavailable", "");
        Awaitility.await().atMost(PATIENCE).until(brokers::holdsRestore);
        Awaitility.await().atMost(PATIENCE).until(() -> {
            HttpResponse<String> known = rig.get(0, "/v1/requests/" + id, "reader");
            assertLater(known, "unavailable", "");
            assertLater(rig.get(0, "/v1/requests/" + id(), "reader"), "unavailable", "");
            return known.body().contains("is being restored");
        });
        assertThat(rig.get(0, "/health/ready", "").statusCode()).isEqualTo(503);
        brokers.pass();
        Awaitility.await().atMost(PATIENCE).until(() -> {
            HttpResponse<String> answer = rig.get(0, "/v1/requests/" + id, "reader");
            assertThat(answer.statusCode()).as(answer.body()).isIn(200, 503);
            // What a store that is being restored knows already is told, marked as stale.
            return answer.statusCode() == 200 && !json(answer).path("stale").asBoolean();
        });
        assertThat(rig.show(0, id).path("status").asText()).isEqualTo("COMMITTED");
        HttpResponse<String> again = rig.submit(0, id, LEASE);
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
    }
}
