package io.hellogpt.once.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.api.request.CommandRoutes;
import io.hellogpt.once.core.OperatorCommand.Verb;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A key stands for one command. */
class CommandRoutesTest {
    private static final Instant RECEIVED = Instant.parse("2026-03-01T12:00:00.123Z");
    private static final String WHY = "{\"reason\":\"asked by phone\"}";

    private final RoutesRig rig = new RoutesRig();

    @BeforeEach
    void start() {
        CommandRoutes routes = new CommandRoutes(
                rig.owners, rig.log, new RoutesRig.Silence(), Clock.systemUTC(), Duration.ofSeconds(1));
        rig.serve(Map.of(
                Endpoint.CANCEL, routes.of(Verb.CANCEL),
                Endpoint.RETRY, routes.of(Verb.RETRY),
                Endpoint.RESOLVE, routes::resolve));
        rig.know("lease-1", RECEIVED);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void theSameCommandAgainIsAnsweredAndNotSentAgain() {
        assertThat(send("cancel", "key-1", WHY).join().statusCode()).isEqualTo(202);

        HttpResponse<String> again = send("cancel", "key-1", WHY).join();

        assertThat(again.statusCode()).isEqualTo(202);
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(rig.log.kept).hasSize(1);
    }

    @Test
    void anotherVerbOrReasonUnderTheSameKeyIsRefused() {
        send("cancel", "key-1", WHY).join();

        assertOtherCommand(send("retry", "key-1", WHY).join());
        assertOtherCommand(send("cancel", "key-1", WHY.replace("phone", "mail")).join());

        assertThat(rig.log.kept).hasSize(1);
        assertThat(send("retry", "key-2", WHY).join().statusCode()).isEqualTo(202);
    }

    @Test
    void anotherEffectOrOutcomeUnderTheSameKeyIsRefused() {
        send("resolve", "key-1", found("lease-1:0.1", "succeeded")).join();

        assertOtherCommand(
                send("resolve", "key-1", found("lease-1:0.2", "succeeded")).join());
        assertOtherCommand(
                send("resolve", "key-1", found("lease-1:0.1", "failed")).join());

        assertThat(rig.log.kept).hasSize(1);
    }

    @Test
    void beforeTheFirstIsAcknowledgedAnotherIsRefusedAndTheSameIsSentItself() {
        CompletableFuture<Void> verdict = rig.log.holdNext();
        CompletableFuture<HttpResponse<String>> first = send("cancel", "key-1", WHY);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> rig.log.begun.get() == 1);

        assertOtherCommand(send("retry", "key-1", WHY).join());
        HttpResponse<String> same = send("cancel", "key-1", WHY).join();

        assertThat(same.statusCode()).isEqualTo(202);
        assertThat(same.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(rig.log.kept).hasSize(1);
        verdict.completeExceptionally(new IOException("no leader"));
        assertThat(first.join().statusCode()).isEqualTo(503);
        assertThat(send("cancel", "key-1", WHY).join().headers().firstValue("Idempotent-Replayed"))
                .contains("true");
    }

    @Test
    void oneWhoseAppendWasInterruptedIsSentWhenItComesAgain() {
        rig.log.holdNext().completeExceptionally(new InterruptedException());
        send("cancel", "key-1", WHY).handle((answer, cutOff) -> cutOff).join();

        assertThat(send("cancel", "key-1", WHY).join().statusCode()).isEqualTo(202);
        assertThat(rig.log.kept).hasSize(1);
    }

    private static String found(String effect, String outcome) {
        return "{\"reason\":\"looked it up\",\"effect_id\":\"%s\",\"outcome\":\"%s\"}".formatted(effect, outcome);
    }

    private static void assertOtherCommand(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
        assertThat(answer.headers().firstValue("Content-Type")).contains(Problem.MEDIA_TYPE);
        assertThat(answer.body()).contains("urn:hellogpt-once:problem:conflict", "\"command_id\":\"key-1\"");
    }

    private CompletableFuture<HttpResponse<String>> send(String verb, String key, String body) {
        return rig.post("/v1/requests/lease-1/" + verb, body, IdempotencyKey.HEADER, key);
    }
}
