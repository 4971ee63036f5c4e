package io.hellogpt.once.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.api.request.CommandRoutes;
import io.hellogpt.once.api.request.Intake;
import io.hellogpt.once.api.request.RequestRoutes;
import io.hellogpt.once.api.request.Submission;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestIdFormat;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.schema.RequestDecoder;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A key stands for one command. */
class CommandRoutesTest {
    private static final Instant RECEIVED = Instant.parse("2026-03-01T12:00:00.123Z");
    private static final String WHY = "{\"reason\":\"asked by phone\"}";

    private static final AuditLog NO_AUDIT = new AuditLog() {
        @Override
        public Trail trail(RequestId id, Optional<Instant> from) {
            throw new UnsupportedOperationException("nobody asks here");
        }

        @Override
        public Tail follow(Optional<String> after) {
            throw new UnsupportedOperationException("nobody asks here");
        }
    };

    private final RoutesRig rig = new RoutesRig();

    @BeforeEach
    void start() {
        EventFeed feed = new RoutesRig.Silence();
        Clock clock = Clock.systemUTC();
        Intake intake =
                new Intake(rig.owners, rig.log, feed, Optional::empty, new Intake.Window(Duration.ofDays(1), clock));
        Submission.Reader reader = new Submission.Reader(
                new RequestDecoder(RequestIdFormat.DEFAULT, 100_000, Optional.empty()), policy -> true);
        RequestRoutes requests = new RequestRoutes(reader, intake, rig.owners, feed, NO_AUDIT, Duration.ofSeconds(1));
        CommandRoutes routes = new CommandRoutes(intake, rig.log, feed, clock, Duration.ofMillis(300));
        rig.serve(Map.of(
                Endpoint.SUBMIT,
                requests::submit,
                Endpoint.CANCEL,
                routes.of(Verb.CANCEL),
                Endpoint.RETRY,
                routes.of(Verb.RETRY),
                Endpoint.RESOLVE,
                routes::resolve));
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

    @Test
    void onlyWhatIsAcknowledgedAndNotReadYetIsWorthAskingAgain() {
        accept("lease-2");
        HttpResponse<String> early = send("lease-2", "cancel", "key-1", WHY).join();
        assertThat(early.statusCode()).as(early.body()).isEqualTo(503);
        assertThat(early.headers().firstValue("Retry-After")).isPresent();
        assertThat(rig.log.kept).containsExactly(new RequestId("lease-2"));

        assertThat(send("lease-3", "cancel", "key-1", WHY).join().statusCode()).isEqualTo(404);
    }

    @Test
    void whatIsReadMeanwhileIsCancelled() {
        accept("lease-2");
        rig.lookedUp = id -> rig.know("lease-2", RECEIVED);

        assertThat(send("lease-2", "cancel", "key-1", WHY).join().statusCode()).isEqualTo(202);
        assertThat(rig.log.kept).hasSize(2);
    }

    /** The instance that took it is gone, or is another; and the request may have ended by it. */
    @Test
    void oneThatTheStateHasHeardOfIsAnsweredAndNotSentAgain() {
        rig.know(heard("lease-2", "key-1"));

        HttpResponse<String> again = send("lease-2", "cancel", "key-1", WHY).join();
        assertThat(again.statusCode()).isEqualTo(202);
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(rig.log.kept).isEmpty();

        assertThat(send("lease-2", "cancel", "key-2", WHY).join().statusCode()).isEqualTo(409);
    }

    private static RequestState heard(String id, String commandId) {
        Identity plain = RoutesRig.identity(id, RoutesRig.FINGERPRINT, RECEIVED);
        Identity identity = new Identity(
                plain.id(),
                plain.fingerprint(),
                plain.source(),
                plain.receivedAt(),
                plain.deadline(),
                List.of(commandId));
        return new Failed(
                identity,
                new Failure(Failure.Reason.CANCELLED, "asked by phone"),
                Optional.empty(),
                EffectPlan.NONE,
                RECEIVED,
                RECEIVED.plusSeconds(1));
    }

    private void accept(String id) {
        String body = "{\"model\":\"m\",\"input\":\"a lease\"}";
        assertThat(rig.post("/v1/requests", body, IdempotencyKey.HEADER, id)
                        .join()
                        .statusCode())
                .isEqualTo(202);
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
        return send("lease-1", verb, key, body);
    }

    private CompletableFuture<HttpResponse<String>> send(String id, String verb, String key, String body) {
        return rig.post("/v1/requests/" + id + "/" + verb, body, IdempotencyKey.HEADER, key);
    }
}
