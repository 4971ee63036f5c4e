package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.RequestId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits of single models, on the calls of a gateway. */
class GatewayLimitsTest {
    private final GatewayRig rig = new GatewayRig(GatewayRig.settings(new CallLimits(
            10,
            Map.of(
                    "small",
                    new ModelLimits(OptionalInt.of(1), OptionalLong.empty(), OptionalLong.empty()),
                    "dear",
                    new ModelLimits(OptionalInt.empty(), OptionalLong.empty(), OptionalLong.of(9_000))),
            ModelLimits.NONE,
            500)));

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void aModelThatNeverAnswersTakesItsOwnSlotsOnly() {
        assertThat(rig.tryStart(0, "a", "small")).isTrue();
        assertThat(rig.tryStart(0, "b", "small")).isFalse();
        assertThat(rig.tryStart(0, "c", "other")).isTrue();
        assertThat(rig.gateway.heldBack(Holdback.MODEL_IN_FLIGHT)).isEqualTo(1);

        rig.client.answer("a");
        GatewayRig.await(() -> rig.tryStart(0, "b", "small"));
    }

    @Test
    void aCancelledCallFreesTheSlotOfItsModel() {
        assertThat(rig.tryStart(0, "a", "small")).isTrue();
        rig.client.awaitCalls(1);
        rig.gateway.cancel(new RequestId("a"));

        GatewayRig.await(() -> rig.tryStart(0, "b", "small"));
    }

    @Test
    void aStartThatFindsItsCallRunningUsesNothingUp() {
        assertThat(rig.tryStart(0, "a", "dear")).isTrue();
        assertThat(rig.tryStart(0, "a", "dear")).isTrue();
        assertThat(rig.tryStart(0, "b", "dear")).isTrue();
        assertThat(rig.tryStart(0, "c", "dear")).as("two of 500 are used up").isFalse();
        assertThat(rig.gateway.status().slotsTaken()).isEqualTo(2);
    }

    @Test
    void theEstimateIsThePromptAndTheLongestAnswer() {
        ModelCall call = Calls.call("a", 1, rig.deadline(), "{\"max_tokens\":40}");
        long prompt = (call.request().messages().getBytes(StandardCharsets.UTF_8).length + 17) / 4;
        TokenEstimate estimate = new TokenEstimate(500);

        assertThat(estimate.of(call.request())).isEqualTo(prompt + 40);
        assertThat(estimate.of(Calls.call("a", 1, rig.deadline(), "{\"max_completion_tokens\":7,\"n\":3}")
                        .request()))
                .isBetween(21 + prompt, 21 + prompt + 10);
        assertThat(estimate.of(Calls.call("a", 1, rig.deadline()).request())).isBetween(500 + prompt - 5, 500 + prompt);
        assertThat(rig.gateway.demand(call.request()).tokens())
                .as("nobody limits this model's")
                .isZero();
    }

    @Test
    void aModelThatIsDownHoldsUpItsOwnRequestsOnly() {
        for (int i = 0; i < 4; i++) {
            assertThat(rig.tryStart(0, "a" + i, "down")).isTrue();
            rig.client.fail("a" + i, CallError.Kind.RETRYABLE);
            rig.awaitIdle();
        }
        assertThat(rig.tryStart(0, "b", "down")).isFalse();
        assertThat(rig.gateway.status().state()).isEqualTo(GatewayStatus.State.CIRCUIT_OPEN);
        assertThat(rig.gateway.status().reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("down"));

        assertThat(rig.tryStart(0, "c", "up")).isTrue();
        rig.client.answer("c");
        rig.awaitIdle();
        assertThat(rig.gateway.status().dispatching())
                .as("an answer of another model says nothing")
                .isFalse();
        rig.clock.advance(Duration.ofMillis(1001));
        assertThat(rig.tryStart(0, "probe", "down")).isTrue();
        rig.client.answer("probe");
        rig.awaitIdle();
        assertThat(rig.gateway.status().dispatching()).isTrue();
    }

    @Test
    void aCallTheProviderRefusesHasUsedNoTokens() {
        assertThat(rig.tryStart(0, "a", "dear")).isTrue();
        rig.client.fail("a", CallError.Kind.REJECTED);
        rig.awaitIdle();
        assertThat(rig.tryStart(0, "b", "dear")).isTrue();
        assertThat(rig.tryStart(0, "c", "dear")).isTrue();
        assertThat(rig.tryStart(0, "d", "dear"))
                .as("two of 500 are used up, the refused one is given back")
                .isFalse();
    }

    /** What fails whatever model it is sent to is the request's fault: it must use up its own attempts and end. */
    @Test
    void aRequestThatAlwaysFailsOpensNoCircuit() {
        for (int i = 0; i < 12; i++) {
            rig.start(0, "poison", i + 1);
            rig.client.fail("poison", CallError.Kind.RETRYABLE);
            rig.awaitIdle();
            assertThat(rig.error(i).kind()).isEqualTo(CallError.Kind.RETRYABLE);
        }
        assertThat(rig.gateway.status().dispatching()).isTrue();
    }

    @Test
    void severalRequestsThatFailInTurnsOpenTheCircuit() {
        int calls = 0;
        while (rig.gateway.status().dispatching() && calls < 10) {
            String id = "r-" + calls % 3;
            rig.start(0, id, ++calls);
            rig.client.fail(id, CallError.Kind.RETRYABLE);
            rig.awaitIdle();
        }
        assertThat(rig.gateway.status().state()).isEqualTo(GatewayStatus.State.CIRCUIT_OPEN);
    }
}
