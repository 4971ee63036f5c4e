package io.hellogpt.once.api;

import static io.hellogpt.once.api.ApiRig.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The API of two instances on a real broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiIT {
    private static final String LEASE = "{\"model\":\"m\",\"input\":\"a lease\"}";
    private static final String SIGNED = """
            {"model":"m","input":"a lease","policy":"declared","effects":[{"name":"sign","route":"sign","payload":{"who":"ada"}}]}""";
    private static final String WAIT = "Prefer";

    private ApiRig rig;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        rig = ApiRig.start(
                directory, List.of(Map.of("chat.dedup.window.ms", "600000"), Map.of("chat.dedup.window.ms", "600000")));
    }

    @AfterAll
    void stop() {
        rig.close();
    }

    private static String id(String kind) {
        return kind + "-" + UUID.randomUUID();
    }

    @Test
    void aRequestIsTakenOnceAndItsKeySentAgainGetsTheSameAnswer() {
        String id = id("lease");

        HttpResponse<String> first = rig.submit(0, id, LEASE);
        assertThat(first.statusCode()).as(first.body()).isEqualTo(202);
        assertThat(first.headers().firstValue("Location")).contains("/v1/requests/" + id);
        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(rig.get(1, "/v1/requests/" + id, "reader").statusCode()).isEqualTo(200);
        HttpResponse<String> atOnce = rig.submit(1, "\"" + id + "\"", LEASE);
        assertThat(atOnce.statusCode()).as(atOnce.body()).isEqualTo(202);
        assertThat(atOnce.headers().firstValue("Idempotent-Replayed")).contains("true");

        HttpResponse<String> ended = rig.submit(0, id, LEASE, WAIT, "wait=30");
        HttpResponse<String> again = rig.submit(1, id, LEASE);
        assertThat(ended.statusCode()).isEqualTo(200);
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(json(ended).path("status").asText()).isEqualTo("COMMITTED");
        assertThat(json(again)).isEqualTo(json(ended));
        assertThat(json(ended).at("/answer/body/choices/0/message/content").asText())
                .isNotEmpty();
    }

    @Test
    void aClientThatWaitsGetsTheResult() {
        HttpResponse<String> answer = rig.submit(0, id("wait"), LEASE, WAIT, "respond-async, wait=30");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Preference-Applied")).contains("wait=30");
        assertThat(answer.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(json(answer).path("status").asText()).isEqualTo("COMMITTED");
    }

    @Test
    void aWaitThatIsTooShortEndsWithWhereItStands() {
        HttpResponse<String> answer = rig.submit(0, id("short"), SIGNED, WAIT, "wait=2");

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(json(answer).path("status").asText()).isEqualTo("ACKNOWLEDGED");
    }

    @Test
    void theSameKeyWithOtherContentIsRefusedWithBothFingerprints() {
        String id = id("conflict");
        String fingerprint = json(rig.submit(0, id, LEASE, WAIT, "wait=30"))
                .path("fingerprint")
                .asText();

        for (int instance : new int[] {0, 1}) {
            HttpResponse<String> other = rig.submit(instance, id, LEASE.replace("a lease", "another"));
            assertThat(other.statusCode()).isEqualTo(422);
            assertThat(json(other).path("known_fingerprint").asText()).isEqualTo(fingerprint);
            assertThat(json(other).path("fingerprint").asText()).hasSize(64).isNotEqualTo(fingerprint);
        }
        assertThat(rig.show(0, id).path("status").asText()).isEqualTo("COMMITTED");
    }

    @Test
    void manyAtOnceAreOneRequest() {
        String id = id("many");

        List<HttpResponse<String>> answers = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> rig.submit(i % 2, id, LEASE, WAIT, "wait=30")))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(answers).allMatch(answer -> answer.statusCode() == 200);
        assertThat(answers.stream()
                        .map(answer -> json(answer).at("/answer/sha256").asText())
                        .distinct())
                .hasSize(1);
        assertThat(rig.eventTypes(id)).containsOnlyOnce("ACCEPTED").containsOnlyOnce("COMMITTED");
    }

    @Test
    void whatIsNoRequestIsRefusedWithTheReason() {
        assertRefused(rig.post(0, "/v1/requests", "sender", LEASE), 400, "missing_key");
        assertRefused(rig.submit(0, "with space", LEASE), 400, "invalid");
        assertRefused(rig.submit(0, id("bad"), "{"), 400, "invalid");
        assertRefused(rig.submit(0, id("bad"), "[]"), 400, "invalid");
        assertRefused(rig.submit(0, id("bad"), "{}"), 400, "invalid");
        assertRefused(rig.submit(0, id("bad"), "{\"model\":\"m\",\"input\":\"x\",\"model\":\"n\"}"), 400, "invalid");
        assertRefused(rig.submit(0, id("bad"), LEASE.replace("}", ",\"policy\":\"none\"}")), 400, "invalid");
        assertRefused(rig.submit(0, id("bad"), LEASE.replace("}", ",\"request_id\":\"other\"}")), 400, "invalid");
        assertRefused(rig.submit(0, id("big"), LEASE.replace("a lease", "x".repeat(1_000_000))), 413, "too_large");
        assertRefused(
                rig.send(rig.request(0, "/v1/requests", "sender")
                        .header("Idempotency-Key", id("bad"))
                        .header("Content-Type", "text/plain")
                        .POST(HttpRequest.BodyPublishers.ofString(LEASE))
                        .build()),
                415,
                "unsupported");
    }

    @Test
    void aRequestOlderThanTheWindowIsGone() {
        long monthAgo = Instant.now().minus(Duration.ofDays(30)).toEpochMilli();
        UUID old = new UUID(monthAgo << 16 | 0x7abc, 0x8000_0000_0000_0001L);

        assertRefused(rig.submit(0, "late-" + old, LEASE), 410, "expired");
        assertRefused(
                rig.submit(1, id("late"), LEASE.replace("}", ",\"created_at\":\"2020-01-01T00:00:00Z\"}")),
                410,
                "expired");
    }

    @Test
    void eachInstanceAnswersForTheKeysOfTheOther() {
        List<String> ids = IntStream.range(0, 12).mapToObj(i -> id("mine")).toList();
        ids.forEach(id -> rig.submit(0, id, LEASE));
        ids.forEach(id -> rig.awaitStatus(id, "COMMITTED"));

        int handedOn = 0;
        for (String id : ids) {
            assertThat(rig.show(1, id)).isEqualTo(rig.show(0, id));
            HttpResponse<String> alone = rig.send(rig.request(0, "/v1/requests/" + id, "reader")
                    .header("Once-Handed-On", "owner")
                    .build());
            // One that was handed on goes no further: what is not here is told from the standby, or not at all.
            assertThat(alone.statusCode()).isIn(200, 503);
            if (alone.statusCode() == 503) {
                assertThat(alone.headers().firstValue("Retry-After")).isPresent();
            }
            if (alone.statusCode() == 503 || json(alone).path("stale").asBoolean()) {
                handedOn++;
            }
        }
        assertThat(handedOn).isBetween(1, ids.size() - 1);
        assertRefused(rig.get(1, "/v1/requests/nobody", "reader"), 404, "not_found");
    }

    @Test
    void aStandbyAnswersMarkedStale() {
        String id = id("stale");
        rig.submit(0, id, LEASE, WAIT, "wait=30");

        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            for (int instance : new int[] {0, 1}) {
                HttpResponse<String> asked = rig.send(rig.request(instance, "/v1/requests/" + id, "reader")
                        .header("Once-Handed-On", "standby")
                        .build());
                assertThat(asked.statusCode()).as(asked.body()).isEqualTo(200);
                assertThat(json(asked).path("stale").asBoolean()).isTrue();
                assertThat(json(asked).path("status").asText()).isEqualTo("COMMITTED");
            }
        });
    }

    @Test
    void payloadsAreForThoseWithTheRole() {
        String id = id("secret");
        rig.submit(0, id, SIGNED.replace("a lease", "a secret lease"));
        rig.awaitStatus(id, "ACKNOWLEDGED");

        for (int instance : new int[] {0, 1}) {
            assertThat(rig.get(instance, "/v1/requests/" + id, "reader").body())
                    .contains("\"status\":\"ACKNOWLEDGED\"")
                    .doesNotContain("ada")
                    .doesNotContain("choices");
            assertRefused(rig.get(instance, "/v1/requests/" + id + "?payload=true", "reader"), 403, "forbidden");
            assertThat(rig.get(instance, "/v1/requests/" + id + "?payload=true", "auditor")
                            .body())
                    .contains("\"payload\":{\"who\":\"ada\"}")
                    .contains("choices");
        }
    }

    @Test
    void theTrailTellsEveryStepFromEachInstance() {
        String id = id("trail");
        rig.submit(0, id, LEASE, WAIT, "wait=30");

        JsonNode trail = json(rig.get(1, "/v1/requests/" + id + "/events", "reader"));
        assertThat(trail.path("complete").asBoolean()).isTrue();
        assertThat(rig.eventTypes(id))
                .startsWith("ACCEPTED")
                .contains("DECIDED")
                .endsWith("COMMITTED");
        assertThat(trail.path("events")).hasSameSizeAs(rig.eventTypes(id));
        assertRefused(rig.get(0, "/v1/requests/nobody/events", "reader"), 404, "not_found");
    }

    @Test
    void theTrailTellsWhatCameAgainAndNoneOfItsContent() throws Exception {
        String id = id("again");
        rig.submit(0, id, LEASE, WAIT, "wait=30");
        rig.produce(id, LEASE);
        rig.produce(id, LEASE.replace("a lease", "a hidden lease"));

        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            for (int instance : new int[] {0, 1}) {
                HttpResponse<String> trail = rig.get(instance, "/v1/requests/" + id + "/events", "reader");
                assertThat(json(trail).path("duplicates")).hasSize(1);
                assertThat(json(trail).at("/duplicates/0/status").asText()).isEqualTo("COMMITTED");
                assertThat(json(trail).path("rejected")).hasSize(1);
                assertThat(json(trail).at("/rejected/0/reason").asText()).isEqualTo("CONFLICT");
                assertThat(trail.body()).doesNotContain("choices", "hidden", "\"original_value\"", "\"committed\"");
            }
        });
    }

    @Test
    void theLastRequestsAreShownWithTheirDuplicates() {
        String id = id("recent");
        rig.submit(0, id, SIGNED, WAIT, "wait=30");

        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            for (int instance : new int[] {0, 1}) {
                List<String> shown = new ArrayList<>();
                json(rig.get(instance, "/v1/requests?recent=1000&state=acknowledged", "reader"))
                        .path("requests")
                        .forEach(request -> {
                            assertThat(request.path("status").asText()).isEqualTo("ACKNOWLEDGED");
                            shown.add(request.path("request_id").asText());
                        });
                assertThat(shown).contains(id);
            }
        });
        assertThat(json(rig.get(0, "/v1/requests?recent=1", "reader")).path("requests"))
                .hasSize(1);
        assertRefused(rig.get(0, "/v1/requests?recent=many", "reader"), 400, "invalid");
        assertRefused(rig.get(0, "/v1/requests?state=none", "reader"), 400, "invalid");
    }

    @Test
    void aStreamGoesOnAtAnotherInstanceWhereItBrokeOff() throws Exception {
        String before = id("before");
        String during = id("during");
        String last;
        try (Stream<String> lines = stream(0, "")) {
            CompletableFuture.runAsync(() -> rig.submit(0, before, LEASE));
            last = readUntil(lines, before, "COMMITTED");
        }
        rig.submit(0, during, LEASE, WAIT, "wait=30");

        List<String> missed = new ArrayList<>();
        try (Stream<String> lines = stream(1, last)) {
            readUntil(lines.peek(missed::add), during, "COMMITTED");
        }
        assertThat(missed).anyMatch(line -> line.contains(during) && line.contains("ACCEPTED"));
        assertThat(missed).noneMatch(line -> line.contains(before));
        assertRefused(
                rig.send(rig.request(0, "/v1/stream", "reader")
                        .header("Last-Event-ID", "x")
                        .build()),
                400,
                "invalid");
    }

    private Stream<String> stream(int instance, String after) throws Exception {
        var request = rig.request(instance, "/v1/stream", "reader");
        if (!after.isEmpty()) {
            request.header("Last-Event-ID", after);
        }
        HttpResponse<Stream<String>> response = rig.client().send(request.build(), HttpResponse.BodyHandlers.ofLines());
        assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
        return response.body();
    }

    /** The id of the event that matches. */
    private static String readUntil(Stream<String> lines, String id, String type) {
        String[] last = {""};
        assertThat(lines.peek(line -> {
                            if (line.startsWith("id: ")) {
                                last[0] = line.substring(4);
                            }
                        })
                        .anyMatch(line -> line.contains(id) && line.contains("\"type\":\"" + type + "\"")))
                .isTrue();
        return last[0];
    }

    @Test
    void anOperatorSaysWhyAndIsHeardOnce() {
        String id = id("operate");
        rig.submit(0, id, SIGNED);
        rig.awaitStatus(id, "ACKNOWLEDGED");
        String path = "/v1/requests/" + id;

        assertRefused(rig.post(0, path + "/cancel", "reader", "{\"reason\":\"x\"}"), 403, "forbidden");
        assertRefused(rig.post(0, path + "/cancel", "operator", "{}"), 400, "invalid");
        assertRefused(rig.post(0, "/v1/requests/nobody/cancel", "operator", "{\"reason\":\"x\"}"), 404, "not_found");
        assertRefused(
                rig.post(1, path + "/approve", "operator", "{\"reason\":\"looks good\"}", WAIT, "wait=20"),
                409,
                "not_possible");

        HttpResponse<String> cancel = rig.post(
                0,
                path + "/cancel",
                "operator",
                "{\"reason\":\"sent in error\"}",
                WAIT,
                "wait=20",
                "Idempotency-Key",
                "c-1");
        assertThat(cancel.statusCode()).as(cancel.body()).isEqualTo(200);
        assertThat(json(cancel).at("/event/actor").asText()).isEqualTo("operator");
        HttpResponse<String> again =
                rig.post(0, path + "/cancel", "operator", "{\"reason\":\"sent in error\"}", "Idempotency-Key", "c-1");
        assertThat(again.statusCode()).isIn(202, 409);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(
                                json(rig.get(0, path + "/events", "reader")).toString())
                        .contains("sent in error"));
    }

    @Test
    void aPersonResolvesAnUnknownEffect() throws Exception {
        String id = id("unknown");
        rig.submit(0, id, SIGNED);
        rig.awaitStatus(id, "ACKNOWLEDGED");
        rig.outcome(rig.said(id + ":0.1", 1, Result.UNKNOWN, Optional.empty()));
        assertThat(rig.awaitStatus(id, "HELD").at("/hold/reason").asText()).isEqualTo("EFFECT_UNKNOWN");

        HttpResponse<String> resolved = rig.post(
                1,
                "/v1/requests/" + id + "/resolve",
                "operator",
                "{\"reason\":\"seen in their books\",\"effect_id\":\"%s:0.1\",\"outcome\":\"succeeded\"}".formatted(id),
                WAIT,
                "wait=20");

        assertThat(resolved.statusCode()).as(resolved.body()).isEqualTo(200);
        rig.awaitStatus(id, "COMMITTED");
        assertRefused(
                rig.post(0, "/v1/requests/" + id + "/retry", "operator", "{\"reason\":\"x\"}"), 409, "not_possible");
    }

    @Test
    void aChatIsAnsweredOnceWholeOrInPieces() {
        String key = id("chat");
        String chat = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}],\"temperature\":0.7}";

        HttpResponse<String> whole = rig.post(0, "/v1/chat/completions", "sender", chat, "Idempotency-Key", key);
        assertThat(whole.statusCode()).as(whole.body()).isEqualTo(200);
        HttpResponse<String> pieces = rig.post(
                1,
                "/v1/chat/completions",
                "sender",
                chat.replace("\"temperature\"", "\"stream\":true,\"temperature\""),
                "Idempotency-Key",
                key);
        assertThat(pieces.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(pieces.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        assertThat(pieces.body())
                .contains("\"id\":\"" + json(whole).path("id").asText() + "\"")
                .endsWith("data: [DONE]\n\n");
        HttpResponse<String> other =
                rig.post(0, "/v1/chat/completions", "sender", chat.replace("hello", "bye"), "Idempotency-Key", key);
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(json(other).at("/error/code").asText()).isEqualTo("conflict");
        HttpResponse<String> none = rig.post(0, "/v1/chat/completions", "sender", "{\"messages\":[]}");
        assertThat(none.statusCode()).isEqualTo(400);
        assertThat(json(none).at("/error/type").asText()).isEqualTo("invalid_request_error");
    }

    @Test
    void withoutAKeyTheSameChatWithinTheWindowIsOneRequest() {
        String chat =
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}".formatted(UUID.randomUUID());

        HttpResponse<String> first = rig.post(0, "/v1/chat/completions", "sender", chat);
        HttpResponse<String> second = rig.post(1, "/v1/chat/completions", "sender", chat);

        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("x-request-id"))
                .isEqualTo(first.headers().firstValue("x-request-id"));
    }

    @Test
    void theDescriptionIsServed() {
        assertThat(rig.get(0, "/openapi.yaml", "").body()).contains("openapi: 3.1");
        assertThat(rig.get(0, "/metrics", "reader").body()).contains("once_gateway_slots");
        assertRefused(rig.get(0, "/metrics", ""), 401, "unauthenticated");
    }

    private static void assertRefused(HttpResponse<String> answer, int status, String slug) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(json(answer).path("type").asText()).endsWith(":" + slug);
        assertThat(json(answer).path("detail").asText()).isNotEmpty();
    }
}
