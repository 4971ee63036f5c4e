package io.hellogpt.once.api;

import static io.hellogpt.once.api.ApiRig.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Callbacks to two instances on a real broker, whenever they come and whoever sends them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallbackIT {
    private ApiRig rig;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        rig = ApiRig.start(directory, List.of(Map.of(), Map.of()));
    }

    @AfterAll
    void stop() {
        rig.close();
    }

    /** A request whose one effect is out with its receiver. */
    private String issued() {
        String id = "callback-" + UUID.randomUUID();
        rig.submit(0, id, """
                {"model":"m","input":"a lease","policy":"declared","effects":[{"name":"sign","route":"sign","payload":{}}]}""");
        rig.awaitStatus(id, "ACKNOWLEDGED");
        return id;
    }

    private static String body(String id, String result) {
        return "{\"effect_id\":\"%s:0.1\",\"result\":\"%s\",\"reference\":\"sig-7\",\"detail\":\"by pen\"}"
                .formatted(id, result);
    }

    private HttpResponse<String> genuine(int instance, String id, String event, String result) {
        return rig.callback(instance, id + ":0.1", ApiRig.SIGN_KEY, event, Instant.now(), body(id, result));
    }

    @Test
    void beforeTheResponseItSettlesTheEffectAndTheResponseChangesNothing() throws Exception {
        String id = issued();
        var response = rig.said(id + ":0.1", 1, Result.FAILED, Optional.empty());

        assertThat(genuine(0, id, "event-1", "succeeded").statusCode()).isEqualTo(200);
        assertThat(rig.awaitStatus(id, "COMMITTED").at("/effects/0/reference").asText())
                .isEqualTo("sig-7");
        rig.outcome(response);

        assertThat(genuine(1, id, "event-2", "succeeded").statusCode()).isEqualTo(200);
        awaitEvent(id, "CALLBACK_LATE");
        assertThat(rig.show(0, id).path("status").asText()).isEqualTo("COMMITTED");
        assertThat(endings(id)).containsExactly(Topics.COMMITTED_RESULTS);
    }

    @Test
    void twiceAndToBothInstancesItCountsOnce() throws Exception {
        String id = issued();
        rig.outcome(rig.said(
                id + ":0.1",
                1,
                Result.AWAITING_CALLBACK,
                Optional.of(Instant.now().plus(Duration.ofHours(1)))));
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> rig.show(0, id).at("/effects/0/status").asText().equals("AWAITING_CALLBACK"));

        for (int instance : new int[] {0, 0, 1, 1}) {
            assertThat(genuine(instance, id, "event-1", "succeeded").statusCode())
                    .isEqualTo(200);
        }

        rig.awaitStatus(id, "COMMITTED");
        assertThat(endings(id)).containsExactly(Topics.COMMITTED_RESULTS);
        assertThat(rig.eventTypes(id)).doesNotContain("CALLBACK_LATE");
        assertThat(callbacksKept(id)).isBetween(1, 2);
    }

    @Test
    void afterTheDeadlineItStillSettlesWhatIsUnknown() throws Exception {
        String id = issued();
        rig.outcome(rig.said(
                id + ":0.1",
                1,
                Result.AWAITING_CALLBACK,
                Optional.of(Instant.now().plus(Duration.ofSeconds(1)))));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> rig.show(0, id).at("/effects/0/attempt").asInt() == 2);
        rig.outcome(rig.said(id + ":0.1", 2, Result.UNKNOWN, Optional.empty()));
        assertThat(rig.awaitStatus(id, "HELD").at("/hold/reason").asText()).isEqualTo("EFFECT_UNKNOWN");

        assertThat(genuine(1, id, "late-1", "succeeded").statusCode()).isEqualTo(200);

        rig.awaitStatus(id, "COMMITTED");
        assertThat(endings(id)).containsExactly(Topics.COMMITTED_RESULTS);
    }

    /** The attempt itself is still out: only when its response is known can nothing be carried out any more. */
    @Test
    void oneThatSaysFailedFailsTheRequestWhenTheResponseHasCome() throws Exception {
        String id = issued();

        assertThat(genuine(1, id, "event-1", "failed").statusCode()).isEqualTo(200);
        rig.outcome(rig.said(
                id + ":0.1",
                1,
                Result.AWAITING_CALLBACK,
                Optional.of(Instant.now().plus(Duration.ofHours(1)))));

        assertThat(rig.awaitStatus(id, "FAILED").at("/failure/detail").asText()).contains("by pen");
        assertThat(endings(id)).containsExactly(Topics.FAILED_REQUESTS);
    }

    @Test
    void aForgedOneIsRefusedAndChangesNothing() {
        String id = issued();
        String effect = id + ":0.1";
        Instant now = Instant.now();
        String body = body(id, "succeeded");

        // Signed with nobody's secret, with another route's, too long ago, for another effect, and not at all.
        assertRefused(
                rig.callback(0, effect, "bm9ib2R5J3Mgc2VjcmV0IGF0IGFsbA==", "e", now, body), 401, "bad_signature");
        assertRefused(rig.callback(0, effect, ApiRig.OTHER_KEY, "e", now, body), 401, "bad_signature");
        assertRefused(
                rig.callback(1, effect, ApiRig.SIGN_KEY, "e", now.minus(Duration.ofMinutes(6)), body),
                401,
                "bad_signature");
        assertRefused(
                rig.callback(1, effect, ApiRig.SIGN_KEY, "e", now.plus(Duration.ofMinutes(6)), body),
                401,
                "bad_signature");
        assertRefused(rig.callback(0, effect, ApiRig.SIGN_KEY, "e", now, body("other", "succeeded")), 400, "invalid");
        assertRefused(rig.post(0, "/v1/callbacks/" + effect, "", body), 400, "invalid");

        assertThat(rig.show(0, id).path("status").asText()).isEqualTo("ACKNOWLEDGED");
        assertThat(callbacksKept(id)).isZero();
    }

    @Test
    void oneForAnUnknownEffectIsNotTakenAndMayComeAgain() {
        String id = issued();

        assertRefused(
                rig.callback(0, id + ":0.2", ApiRig.SIGN_KEY, "e", Instant.now(), body(id, "succeeded")),
                503,
                "unavailable");
        assertRefused(
                rig.callback(1, "nobody:0.1", ApiRig.SIGN_KEY, "e", Instant.now(), body("nobody", "succeeded")),
                503,
                "unavailable");
        assertRefused(
                rig.callback(0, "nobody:0.1", "bm9ib2R5J3Mgc2VjcmV0IGF0IGFsbA==", "e", Instant.now(), "{}"),
                401,
                "bad_signature");
        assertRefused(rig.callback(0, "no-effect", ApiRig.SIGN_KEY, "e", Instant.now(), "{}"), 404, "not_found");
    }

    @Test
    void oneThatIsTooLargeIsRefused() {
        String id = issued();
        String large = body(id, "succeeded").replace("by pen", "x".repeat(3_000_000));

        assertRefused(rig.callback(0, id + ":0.1", ApiRig.SIGN_KEY, "e", Instant.now(), large), 413, "too_large");
        assertThat(rig.show(0, id).path("status").asText()).isEqualTo("ACKNOWLEDGED");
    }

    private void awaitEvent(String id, String type) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(rig.eventTypes(id)).contains(type));
    }

    private List<String> endings(String id) {
        List<String> topics = new ArrayList<>();
        for (String topic : List.of(Topics.COMMITTED_RESULTS, Topics.FAILED_REQUESTS)) {
            read(topic, id).forEach(record -> topics.add(topic));
        }
        return topics;
    }

    private int callbacksKept(String id) {
        return (int) read(Topics.EFFECT_OUTCOMES, id).stream()
                .filter(outcome -> outcome.hasNonNull("callback_id"))
                .count();
    }

    private List<JsonNode> read(String topic, String id) {
        List<JsonNode> found = new ArrayList<>();
        try (CommittedReader reader = new CommittedReader(rig.config().reader())) {
            reader.readAll(reader.partitions(topic), record -> {
                if (id.equals(new String(record.key(), StandardCharsets.UTF_8))) {
                    found.add(RecordJson.read(record.value()));
                }
            });
        }
        return found;
    }

    private static void assertRefused(HttpResponse<String> answer, int status, String slug) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(json(answer).path("type").asText()).endsWith(":" + slug);
    }
}
