package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The passes of a circuit that is half open: one at a time, and never lost for good. */
class DispatchGateTest {
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration PASS_LIMIT = Duration.ofSeconds(30);

    private final SteppedClock clock = new SteppedClock();
    private final DispatchGate gate =
            new DispatchGate(new GatewaySettings(8, WAIT, WAIT, Duration.ofSeconds(60), 50, 4), clock);

    @BeforeEach
    void openTheCircuit() {
        for (int i = 0; i < 4; i++) {
            assertThat(gate.tryPass()).isTrue();
            gate.started();
            gate.ended(gate.epoch(), Optional.of(new CallError(CallError.Kind.RETRYABLE, "as told", Optional.empty())));
        }
        assertThat(gate.tryPass()).isFalse();
        clock.advance(WAIT.plusMillis(1));
    }

    @Test
    void aPassLostWithItsThreadIsGivenOutAgain() {
        assertThat(gate.tryPass()).isTrue();
        assertThat(gate.tryPass()).as("one probe at a time").isFalse();

        clock.advance(PASS_LIMIT);
        assertThat(gate.tryPass()).isTrue();
        assertThat(gate.tryPass()).as("still one at a time").isFalse();
        gate.started();
        gate.ended(gate.epoch(), Optional.empty());
        assertThat(gate.closure()).isEmpty();
    }

    @Test
    void aSlowProbeIsWaitedForAndItsAnswerCloses() {
        assertThat(gate.tryPass()).isTrue();
        gate.started();

        clock.advance(PASS_LIMIT.multipliedBy(10));
        assertThat(gate.tryPass()).isFalse();
        gate.ended(gate.epoch(), Optional.empty());
        assertThat(gate.closure()).isEmpty();
        assertThat(gate.tryPass()).isTrue();
    }
}
