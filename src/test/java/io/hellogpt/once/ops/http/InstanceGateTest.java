package io.hellogpt.once.ops.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.api.IntakeGate.Closed;
import io.hellogpt.once.api.Problem;
import io.hellogpt.once.model.GatewayStatus;
import io.hellogpt.once.model.GatewayStatus.State;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InstanceGateTest {
    private static final int MOST = 100;

    @ParameterizedTest
    @EnumSource(names = {"DISPATCHING", "CIRCUIT_OPEN"})
    void requestsAreTakenWhileThereIsRoom(State state) {
        assertThat(closed(state, MOST - 1)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"DISPATCHING", "CIRCUIT_OPEN"})
    void aBacklogIs429(State state) {
        assertThat(closed(state, MOST)).hasValueSatisfying(closed -> {
            assertThat(closed.problem().kind()).isEqualTo(Problem.Kind.OVERLOADED);
            assertThat(closed.problem().retryAfter()).isPresent();
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"PAUSED_UNAUTHORIZED", "JOURNAL_UNAVAILABLE"})
    void aPauseIs503ButOneIsTakenToFindOutWhetherItIsOver(State paused) {
        assertThat(closed(paused, 1)).hasValueSatisfying(closed -> {
            assertThat(closed.problem().kind()).isEqualTo(Problem.Kind.UNAVAILABLE);
            assertThat(closed.problem().detail()).contains(paused.name());
        });
        assertThat(closed(paused, 0)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"DRAINING", "CLOSED"})
    void anInstanceThatStopsTakesNothing(State stopping) {
        assertThat(closed(stopping, 0)).isPresent();
    }

    private static Optional<Closed> closed(State state, int waiting) {
        GatewayStatus status = new GatewayStatus(
                state, Optional.empty(), Instant.EPOCH, 1, 0, 0, 0, new GatewayStatus.Counters(0, 0, 0, 0, 0, 0));
        return new InstanceGate(() -> status, () -> waiting, MOST).closed();
    }
}
