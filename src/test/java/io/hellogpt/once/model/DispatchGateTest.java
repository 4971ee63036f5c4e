package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.RequestId;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The passes of a circuit that is half open: one at a time, and never lost for good. */
class DispatchGateTest {
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration PASS_LIMIT = Duration.ofSeconds(30);

    private final SteppedClock clock = new SteppedClock();
    private final DispatchGate gate = new DispatchGate(GatewayRig.SETTINGS, clock);

    @BeforeEach
    void openTheCircuit() {
        for (int i = 0; i < 4; i++) {
            assertThat(gate.tryPass(Calls.MODEL)).isTrue();
            gate.started(Calls.MODEL);
            gate.ended(
                    Calls.MODEL,
                    new RequestId("r-" + i),
                    gate.epoch(),
                    Optional.of(new CallError(CallError.Kind.RETRYABLE, "as told", Optional.empty())));
        }
        assertThat(gate.tryPass(Calls.MODEL)).isFalse();
        clock.advance(WAIT.plusMillis(1));
    }

    @Test
    void aPassLostWithItsThreadIsGivenOutAgain() {
        assertThat(gate.tryPass(Calls.MODEL)).isTrue();
        assertThat(gate.tryPass(Calls.MODEL)).as("one probe at a time").isFalse();

        clock.advance(PASS_LIMIT);
        assertThat(gate.tryPass(Calls.MODEL)).isTrue();
        assertThat(gate.tryPass(Calls.MODEL)).as("still one at a time").isFalse();
        gate.started(Calls.MODEL);
        gate.ended(Calls.MODEL, new RequestId("probe"), gate.epoch(), Optional.empty());
        assertThat(gate.closure()).isEmpty();
    }

    @Test
    void aSlowProbeIsWaitedForAndItsAnswerCloses() {
        assertThat(gate.tryPass(Calls.MODEL)).isTrue();
        gate.started(Calls.MODEL);

        clock.advance(PASS_LIMIT.multipliedBy(10));
        assertThat(gate.tryPass(Calls.MODEL)).isFalse();
        gate.ended(Calls.MODEL, new RequestId("probe"), gate.epoch(), Optional.empty());
        assertThat(gate.closure()).isEmpty();
        assertThat(gate.tryPass(Calls.MODEL)).isTrue();
    }
}
