package io.hellogpt.once.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.api.callback.CallbackFile;
import io.hellogpt.once.api.callback.CallbackRoutes;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A callback is kept before its sender is thanked, and settles the request it is about. */
class CallbackRoutesTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.123Z");
    private static final String BODY = "{\"effect_id\":\"lease-1:0.1\",\"result\":\"succeeded\"}";

    private final RoutesRig rig = new RoutesRig();

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("callbacks.properties"), "sign.secrets = whsec_%s\n".formatted(ApiRig.SIGN_KEY));
        CallbackRoutes routes = new CallbackRoutes(
                CallbackFile.read(file), Duration.ofMinutes(5), rig.owners, rig.log, Clock.fixed(NOW, ZoneOffset.UTC));
        rig.serve(Map.of(Endpoint.CALLBACK, routes::callback));
        rig.know("lease-1", NOW.minusSeconds(3_600));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void oneThatComesAgainBeforeTheFirstIsAcknowledgedIsKeptItself() {
        CompletableFuture<Void> verdict = rig.log.holdNext();
        CompletableFuture<HttpResponse<String>> first = send("event-1", NOW, BODY);
        awaitBegun(1);

        HttpResponse<String> again = send("event-1", NOW, BODY).join();
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(rig.log.kept).containsExactly(new RequestId("lease-1"));

        verdict.completeExceptionally(new IOException("no leader"));
        assertThat(first.join().statusCode()).isEqualTo(503);
        assertThat(send("event-1", NOW, BODY).join().body()).contains("\"kept before\"");
        assertThat(rig.log.kept).hasSize(1);
    }

    @Test
    void oneWhoseAppendWasInterruptedIsKeptWhenItComesAgain() {
        rig.log.holdNext().completeExceptionally(new InterruptedException());
        boolean thanked = send("event-1", NOW, BODY)
                .handle((answer, cutOff) -> cutOff == null && answer.statusCode() == 200)
                .join();
        assertThat(thanked).isFalse();

        HttpResponse<String> again = send("event-1", NOW, BODY).join();

        assertThat(again.body()).contains("\"kept\"");
        assertThat(rig.log.kept).hasSize(1);
    }

    @Test
    void theNumberOfAnEventOfAnEarlierRequestIsNew() {
        assertThat(send("event-1", NOW, BODY).join().body()).contains("\"kept\"");
        rig.know("lease-1", NOW.minusSeconds(60));

        assertThat(send("event-1", NOW, BODY).join().body()).contains("\"kept\"");
        assertThat(rig.log.kept).hasSize(2);
    }

    @Test
    void oneSignedBeforeTheRequestWasReceivedIsAboutAnEarlierOneOfItsId() {
        rig.know("lease-1", NOW.minusSeconds(60));

        assertEarlier(send("event-1", NOW.minusSeconds(120), BODY).join());

        assertThat(rig.log.kept).isEmpty();
        assertThat(send("event-1", NOW.minusSeconds(63), BODY).join().statusCode())
                .as("clocks are seconds apart")
                .isEqualTo(200);
    }

    @Test
    void whatTheBodySaysOfTheRequestMustHoldHoweverLateItIsSigned() {
        rig.know("lease-1", NOW.minusSeconds(60));

        assertEarlier(send("event-1", NOW, about(NOW.minusSeconds(90_000))).join());
        assertThat(send("event-2", NOW, about("yesterday")).join().statusCode()).isEqualTo(400);

        assertThat(rig.log.kept).isEmpty();
        assertThat(send("event-3", NOW.minusSeconds(120), about(NOW.minusSeconds(60)))
                        .join()
                        .statusCode())
                .as("the body is more certain than a clock")
                .isEqualTo(200);
    }

    /** An instance that was stopped for a while has the store of the time before, and does not know yet that the request is another's. */
    @Test
    void oneAboutAnEffectThatIsNotKnownHereYetIsToComeAgain() {
        rig.store.clear();
        assertToComeAgain(send("event-1", NOW, BODY).join());

        rig.know(beforeItWasTriedAgain());
        assertToComeAgain(send("event-1", NOW, BODY).join());

        rig.know("lease-1", NOW.minusSeconds(60));
        assertThat(send("event-1", NOW, BODY).join().body()).contains("\"kept\"");
        assertThat(rig.log.kept).hasSize(1);
    }

    private static RequestState beforeItWasTriedAgain() {
        return new Failed(
                RoutesRig.identity("lease-1", RoutesRig.FINGERPRINT, NOW.minusSeconds(60)),
                new Failure(Failure.Reason.MODEL_EXHAUSTED, "status 500"),
                Optional.empty(),
                EffectPlan.NONE,
                NOW.minusSeconds(30),
                NOW.plusSeconds(3_600));
    }

    private void assertToComeAgain(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("10");
        assertThat(rig.log.kept).isEmpty();
    }

    private static String about(Object receivedAt) {
        return BODY.replace("}", ",\"received_at\":\"" + receivedAt + "\"}");
    }

    private static void assertEarlier(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
        assertThat(answer.body()).contains("urn:hellogpt-once:problem:not_possible", "nothing was changed");
    }

    private void awaitBegun(int appends) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> rig.log.begun.get() == appends);
    }

    private CompletableFuture<HttpResponse<String>> send(String event, Instant at, String body) {
        String signed = event + "." + at.getEpochSecond() + "." + body;
        return rig.post(
                "/v1/callbacks/lease-1:0.1",
                body,
                "webhook-id",
                event,
                "webhook-timestamp",
                Long.toString(at.getEpochSecond()),
                "webhook-signature",
                "v1," + ApiRig.hmac(ApiRig.SIGN_KEY, signed));
    }
}
