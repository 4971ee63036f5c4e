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

    private static final CallError ERROR = new CallError(CallError.Kind.RETRYABLE, "as told", Optional.empty());

    private final SteppedClock clock = new SteppedClock();
    private final DispatchGate gate = new DispatchGate(GatewayRig.SETTINGS, clock);

    @BeforeEach
    void openTheCircuit() {
        for (int i = 0; i < 4; i++) {
            assertThat(gate.tryPass(0, Calls.MODEL)).isTrue();
            gate.started(Calls.MODEL);
            gate.ended(
                    Calls.MODEL,
                    new RequestId("r-" + i),
                    gate.epoch(),
                    Optional.of(new CallError(CallError.Kind.RETRYABLE, "as told", Optional.empty())));
        }
        assertThat(gate.tryPass(0, Calls.MODEL)).isFalse();
        clock.advance(WAIT.plusMillis(1));
    }

    @Test
    void aPassLostWithItsThreadIsGivenOutAgain() {
        assertThat(gate.tryPass(0, Calls.MODEL)).isTrue();
        assertThat(gate.tryPass(0, Calls.MODEL)).as("one probe at a time").isFalse();

        clock.advance(PASS_LIMIT);
        assertThat(gate.tryPass(0, Calls.MODEL)).isTrue();
        assertThat(gate.tryPass(0, Calls.MODEL)).as("still one at a time").isFalse();
        gate.started(Calls.MODEL);
        gate.ended(Calls.MODEL, new RequestId("probe"), gate.epoch(), Optional.empty());
        assertThat(gate.closure()).isEmpty();
    }

    @Test
    void aSlowProbeIsWaitedForAndItsAnswerCloses() {
        assertThat(gate.tryPass(0, Calls.MODEL)).isTrue();
        gate.started(Calls.MODEL);

        clock.advance(PASS_LIMIT.multipliedBy(10));
        assertThat(gate.tryPass(0, Calls.MODEL)).isFalse();
        gate.ended(Calls.MODEL, new RequestId("probe"), gate.epoch(), Optional.empty());
        assertThat(gate.closure()).isEmpty();
        assertThat(gate.tryPass(0, Calls.MODEL)).isTrue();
    }

    /** Otherwise a request that cannot be answered would be the probe for ever, when its task always asks first. */
    @Test
    void theNextProbeIsAnotherTasksWhenAnotherWaits() {
        probe(0, Optional.of(ERROR));
        assertThat(gate.tryPass(1, Calls.MODEL)).as("it is too early").isFalse();

        clock.advance(WAIT.multipliedBy(2).plusMillis(1));
        assertThat(gate.tryPass(0, Calls.MODEL)).as("another waits").isFalse();
        probe(1, Optional.empty());
        assertThat(gate.closure()).isEmpty();
    }

    @Test
    void aTaskThatWaitsAloneProbesAgain() {
        probe(0, Optional.of(ERROR));
        clock.advance(WAIT.multipliedBy(2).plusMillis(1));

        probe(0, Optional.of(ERROR));
        assertThat(gate.tryPass(1, Calls.MODEL)).as("waits, and then no more").isFalse();
        clock.advance(PASS_LIMIT);
        probe(0, Optional.empty());
        assertThat(gate.closure()).isEmpty();
    }

    @Test
    void whoAskedByAClockThatWasSetBackIsNotWaitedFor() {
        assertThat(gate.tryPass(0, Calls.MODEL)).isTrue();
        gate.started(Calls.MODEL);
        assertThat(gate.tryPass(1, Calls.MODEL)).as("waits").isFalse();

        clock.advance(Duration.ofHours(-1));
        gate.ended(Calls.MODEL, new RequestId("probe"), gate.epoch(), Optional.of(ERROR));
        clock.advance(WAIT.multipliedBy(2).plusMillis(1));

        probe(0, Optional.empty());
        assertThat(gate.closure()).isEmpty();
    }

    private void probe(int partition, Optional<CallError> error) {
        assertThat(gate.tryPass(partition, Calls.MODEL)).isTrue();
        gate.started(Calls.MODEL);
        gate.ended(Calls.MODEL, new RequestId("probe-of-" + partition), gate.epoch(), error);
    }
}
