package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.api.Health;
import io.hellogpt.once.model.GatewayStatus;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An instance that makes requests wait says so, and why. */
class HealthSourceTest {
    private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void anInstanceThatDispatchesIsReady() {
        Health health = health(OnceRunner.State.RUNNING, GatewayStatus.State.DISPATCHING, Optional.empty());

        assertThat(health.ready()).isTrue();
        assertThat(health.reasons()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = GatewayStatus.State.class,
            names = {"PAUSED_UNAUTHORIZED", "CIRCUIT_OPEN", "JOURNAL_UNAVAILABLE"})
    void anInstanceThatIsPausedLivesAndIsNotReadyAndSaysWhyAndSinceWhen(GatewayStatus.State state) {
        Health health = health(OnceRunner.State.RUNNING, state, Optional.of("renew the key"));

        assertThat(health.live()).as("a restart would help nobody").isTrue();
        assertThat(health.ready()).isFalse();
        assertThat(health.reasons())
                .singleElement()
                .satisfies(reason -> assertThat(reason).contains("renew the key", SINCE.toString(), state.name()));
    }

    private static Health health(OnceRunner.State process, GatewayStatus.State gateway, Optional<String> reason) {
        GatewayStatus status =
                new GatewayStatus(gateway, reason, SINCE, 4, 0, 0, 0, new GatewayStatus.Counters(0, 0, 0, 0, 0, 0));
        return new HealthSource(() -> process, () -> KafkaStreams.State.RUNNING, () -> status).get();
    }
}
