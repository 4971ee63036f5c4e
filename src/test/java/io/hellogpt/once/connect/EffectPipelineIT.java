package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of records that nothing happens to. */
class EffectPipelineIT {
    private PipelineRig rig;

    @BeforeEach
    void open() throws IOException {
        rig = new PipelineRig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void anEffectIsSentWithItsKeyAndItsOutcomeKeyedByRequest() {
        rig.receiver.then(Receiver.status(201, "{\"id\":\"env-1\"}"));
        Effect effect = Effects.of("r-1", 1, "signing", 1);

        rig.start().process(List.of(rig.delivery(effect)));

        Receiver.Call call = rig.receiver.calls().getFirst();
        assertThat(call.body()).isEqualTo(effect.payload());
        assertThat(call.header("Idempotency-Key")).isEqualTo("\"r-1:0.1\"");
        assertThat(call.header("X-Request-Id")).isEqualTo("r-1");
        EffectOutcome outcome = rig.outcomes().getFirst();
        assertThat(outcome.result()).isEqualTo(Result.SUCCEEDED);
        assertThat(outcome.reference()).contains("env-1");
        assertThat(outcome.requestReceivedAt()).isEqualTo(Effects.RECEIVED);
        assertThat(rig.published().getFirst().key()).isEqualTo("r-1".getBytes(StandardCharsets.UTF_8));
        assertThat(rig.published()
                        .getFirst()
                        .headers()
                        .lastHeader(OutcomePublisher.ID_HEADER)
                        .value())
                .isEqualTo("r-1:0.1#1".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aRedeliveryAfterARestartExecutesNothingAndSaysTheSame() {
        List<Delivery> batch = List.of(
                rig.delivery(Effects.of("r-1", 1, "signing", 1)),
                rig.delivery(Effects.of("r-2", 1, "notify", 1)),
                rig.delivery(Effects.billing("r-1", "billing")));
        rig.start().process(batch).close();
        List<EffectOutcome> first = rig.outcomes();
        rig.forgetOutcomes();

        rig.start().process(batch);

        assertThat(rig.receiver.calls()).hasSize(2);
        assertThat(rig.outcomes()).containsExactlyInAnyOrderElementsOf(first);
        assertThat(Databases.number(rig.url, "SELECT count(*) FROM once_ledger.billing"))
                .isOne();
    }

    @Test
    void probeableInDoubtIsAskedAboutBeforeAnythingIsSent() {
        Effect effect = Effects.of("r-1", 1, "asked", 1);
        rig.receiver.then(exchange -> exchange.close()).then(Receiver.status(200, "{\"id\":\"p-1\"}"));

        rig.start().process(List.of(rig.delivery(effect))).process(List.of(rig.delivery(Effects.again(effect, 2))));

        assertThat(rig.receiver.calls()).extracting(Receiver.Call::method).containsExactly("POST", "GET");
        assertThat(rig.outcomes())
                .extracting(EffectOutcome::result)
                .containsExactly(Result.RETRYABLE, Result.SUCCEEDED);
    }

    @Test
    void aProbeIsAnsweredByAskingOrNotAtAllAndNeverSends() {
        rig.receiver
                .then(exchange -> exchange.close())
                .then(Receiver.status(404, ""))
                .then(exchange -> exchange.close());
        Effect asked = Effects.of("r-1", 1, "asked", 1);
        Effect opaque = Effects.of("r-2", 1, "notify", 1);
        PipelineRig.Run run = rig.start();

        run.process(List.of(rig.delivery(asked))).process(List.of(rig.delivery(Effects.probe(asked, 2))));
        run.process(List.of(rig.delivery(opaque))).process(List.of(rig.delivery(Effects.probe(opaque, 2))));

        assertThat(rig.receiver.calls()).extracting(Receiver.Call::method).containsExactly("POST", "GET", "POST");
        assertThat(rig.outcomes())
                .extracting(EffectOutcome::result)
                .containsExactly(Result.RETRYABLE, Result.RETRYABLE, Result.UNKNOWN, Result.UNKNOWN);
        assertThat(rig.outcomes().get(1).inDoubt()).isFalse();
    }

    @Test
    void aConnectionResetIsRetryableWhenKeyedAndUnknownWhenOpaque() {
        rig.receiver.then(exchange -> exchange.close()).then(exchange -> exchange.close());
        PipelineRig.Run run = rig.start();

        run.process(List.of(rig.delivery(Effects.of("r-1", 1, "signing", 1))));
        run.process(List.of(rig.delivery(Effects.of("r-2", 1, "notify", 1))));

        assertThat(rig.outcomes()).extracting(EffectOutcome::result).containsExactly(Result.RETRYABLE, Result.UNKNOWN);
        assertThat(rig.receiver.calls()).hasSize(2);
    }

    @Test
    void anAttemptAnOperatorAsksForBehindAFailureIsSentUnderTheSameKey() {
        rig.receiver.then(Receiver.status(422, ""));
        Effect effect = Effects.of("r-1", 1, "signing", 1);

        rig.start().process(List.of(rig.delivery(effect))).process(List.of(rig.delivery(Effects.again(effect, 2))));

        assertThat(rig.receiver.calls())
                .extracting(call -> call.header("Idempotency-Key"))
                .containsExactly("\"r-1:0.1\"", "\"r-1:0.1\"");
        assertThat(rig.outcomes()).extracting(EffectOutcome::result).containsExactly(Result.FAILED, Result.SUCCEEDED);
    }

    @Test
    void anUnknownRouteIsAnsweredAndTheRestGoesOn() {
        rig.start()
                .process(List.of(
                        rig.delivery(Effects.of("r-1", 1, "nowhere", 1)),
                        rig.delivery(Effects.of("r-2", 1, "signing", 1))));

        assertThat(rig.outcomes())
                .extracting(EffectOutcome::result)
                .containsExactlyInAnyOrder(Result.MALFORMED, Result.SUCCEEDED);
    }

    @Test
    void anEffectTheDatabaseCannotStoreIsAnsweredAndTheRestGoesOn() {
        rig.start()
                .process(List.of(
                        rig.delivery(Effects.of("r-1", 1, "no\0where", 1)),
                        rig.delivery(Effects.of("r-2", 1, "signing", 1))));

        assertThat(rig.outcomes())
                .extracting(EffectOutcome::result)
                .containsExactlyInAnyOrder(Result.MALFORMED, Result.SUCCEEDED);
    }

    @Test
    void aRouteAddedAfterItsEffectWasAnsweredDoesNotExecuteThatAttempt() {
        Effect effect = Effects.of("r-1", 1, "later", 1);
        rig.start().process(List.of(rig.delivery(effect))).close();

        PipelineRig.Run withRoute = rig.start(Map.of("later", rig.http("later", new Recovery.Opaque(false))));
        withRoute.process(List.of(rig.delivery(effect)));
        assertThat(rig.receiver.calls()).isEmpty();
        withRoute.process(List.of(rig.delivery(Effects.again(effect, 2))));

        assertThat(rig.receiver.calls()).hasSize(1);
        assertThat(rig.outcomes())
                .extracting(EffectOutcome::result)
                .containsExactly(Result.MALFORMED, Result.MALFORMED, Result.SUCCEEDED);
    }

    @Test
    void effectsOfOneRequestAndRouteKeepTheirOrder() {
        List<Delivery> batch = IntStream.rangeClosed(1, 8)
                .mapToObj(step -> rig.delivery(Effects.of("r-1", step, "signing", 1)))
                .toList();

        rig.start().process(batch);

        assertThat(rig.receiver.calls())
                .extracting(call -> call.header("X-Effect-Id"))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 8)
                        .mapToObj(step -> "r-1:0." + step)
                        .toList());
    }

    @Test
    void aCompensationComesAfterItsForwardEffectAlsoOnAnotherRoute() {
        Gate gate = new Gate();
        rig.receiver.then(gate.before(Receiver.status(200, "")));
        Effect forward = Effects.of("r-1", 1, "signing", 1);
        PipelineRig.Run run = rig.start().accept(List.of(rig.delivery(forward)));
        await().atMost(PipelineRig.BOUND).until(() -> rig.receiver.calls().size() == 1);

        run.accept(List.of(
                rig.delivery(Effects.undoOf(forward, "notify")), rig.delivery(Effects.of("r-2", 1, "notify", 1))));
        await().atMost(PipelineRig.BOUND)
                .until(() -> rig.receiver.calls().stream()
                        .anyMatch(call -> call.path().equals("/notify")));
        assertThat(rig.receiver.calls())
                .extracting(call -> call.header("X-Effect-Id"))
                .doesNotContain("r-1:0.1:undo");
        gate.open();
        run.process(List.of());

        assertThat(rig.receiver.calls().getLast().header("X-Effect-Id")).isEqualTo("r-1:0.1:undo");
    }
}
