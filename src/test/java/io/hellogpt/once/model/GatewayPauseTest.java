package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A refused key and a model that is down make requests wait. */
class GatewayPauseTest {
    private final GatewayRig rig = new GatewayRig();

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void aRefusedKeyPausesDispatchUntilAProbeSucceeds() {
        rig.start(0, "a", 1);
        rig.client.fail("a", CallError.Kind.UNAUTHORIZED);
        rig.awaitIdle();
        assertThat(rig.gateway.status().state()).isEqualTo(GatewayStatus.State.PAUSED_UNAUTHORIZED);
        assertThat(rig.gateway.status().reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("renew the key"));
        assertThat(rig.reserve()).isFalse();

        rig.clock.advance(Duration.ofSeconds(1));
        rig.start(0, "b", 1);
        assertThat(rig.reserve()).as("one probe at a time").isFalse();
        rig.client.fail("b", CallError.Kind.UNAUTHORIZED);
        rig.awaitIdle();
        rig.clock.advance(Duration.ofSeconds(1));
        assertThat(rig.reserve()).as("the interval has doubled").isFalse();

        rig.clock.advance(Duration.ofSeconds(1));
        rig.start(0, "c", 1);
        rig.client.answer("c");
        rig.awaitIdle();
        assertThat(rig.gateway.status().dispatching()).isTrue();
        rig.start(0, "d", 1);
    }

    @Test
    void aResultFromBeforeThePauseDoesNotResumeIt() {
        rig.start(0, "old", 1);
        rig.start(0, "a", 1);
        rig.client.fail("a", CallError.Kind.UNAUTHORIZED);
        GatewayRig.await(() -> rig.gateway.status().state() == GatewayStatus.State.PAUSED_UNAUTHORIZED);
        rig.client.answer("old");
        rig.awaitIdle();

        assertThat(rig.gateway.status().state()).isEqualTo(GatewayStatus.State.PAUSED_UNAUTHORIZED);
    }

    @Test
    void aProbeThatIsNotUsedIsGivenOutAgain() {
        rig.start(0, "a", 1);
        rig.client.fail("a", CallError.Kind.UNAUTHORIZED);
        rig.awaitIdle();
        rig.clock.advance(Duration.ofSeconds(1));
        assertThat(rig.reserve()).isTrue();
        rig.release();

        assertThat(rig.reserve()).isTrue();
        rig.release();
    }

    @Test
    void aDeadProviderOpensTheCircuitAndAProbeClosesIt() {
        for (int i = 0; i < 4; i++) {
            rig.start(0, "a" + i, 1);
            rig.client.fail("a" + i, CallError.Kind.RETRYABLE);
            rig.awaitIdle();
        }
        assertThat(rig.gateway.status().state()).isEqualTo(GatewayStatus.State.CIRCUIT_OPEN);
        assertThat(rig.reserve()).isFalse();

        rig.clock.advance(Duration.ofMillis(1001));
        rig.start(0, "probe", 1);
        assertThat(rig.reserve()).as("one probe at a time").isFalse();
        rig.client.answer("probe");
        rig.awaitIdle();
        assertThat(rig.gateway.status().dispatching()).isTrue();
    }

    @Test
    void callsThatFailWhileTheCircuitIsOpenDoNotCount() {
        for (int i = 0; i < 4; i++) {
            rig.start(0, "a" + i, 1);
            rig.client.fail("a" + i, CallError.Kind.RETRYABLE);
            rig.awaitIdle();
        }
        rig.clock.advance(Duration.ofMillis(1001));
        rig.start(0, "probe", 1);
        Optional<Duration> retryAfter = Optional.of(Duration.ofSeconds(90));
        rig.client.fail("probe", new CallError(CallError.Kind.RETRYABLE, "429", retryAfter));
        rig.awaitIdle();

        assertThat(rig.error(4).retryAfter()).as("what the provider asked for").isEqualTo(retryAfter);
        assertThat(rig.error(0).kind()).as("before it opened").isEqualTo(CallError.Kind.RETRYABLE);
        assertThat(rig.error(4).kind()).as("the probe").isEqualTo(CallError.Kind.ABANDONED);
        rig.clock.advance(Duration.ofMillis(1001));
        assertThat(rig.reserve()).as("the wait has doubled").isFalse();
    }

    @Test
    void rejectionsDoNotOpenTheCircuit() {
        for (int i = 0; i < 8; i++) {
            rig.start(0, "a" + i, 1);
            rig.client.fail("a" + i, CallError.Kind.REJECTED);
            rig.awaitIdle();
        }
        assertThat(rig.gateway.status().dispatching()).isTrue();
    }

    /** Else the clock of a machine that was an hour ahead would keep everything waiting for an hour. */
    @Test
    void aClockSetBackDoesNotPutOffTheProbe() {
        rig.start(0, "a", 1);
        rig.client.fail("a", CallError.Kind.UNAUTHORIZED);
        rig.awaitIdle();
        assertThat(rig.reserve()).isFalse();

        rig.clock.advance(Duration.ofHours(-1));
        assertThat(rig.reserve()).isTrue();
        rig.release();
    }
}
