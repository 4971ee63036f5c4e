package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.TaskSettings;
import io.hellogpt.once.connect.ledger.Ask;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RouteCircuitTest {
    private static final int CALLS = 4;
    private static final Verdict BROKEN = Verdict.retry("connection broke", Optional.empty(), true);

    private final RouteCircuit circuit =
            new RouteCircuit("r", new TaskSettings.Circuit(CALLS, 50, Duration.ofSeconds(10)), Clock.systemUTC());
    private final Claim.Execute claim = claim();

    private static Claim.Execute claim() {
        Ask ask = Ask.of(Effects.of("r-1", 1, "r", 1), new Recovery.Opaque(false));
        return new Claim.Execute(ask, 1, false, ask.body());
    }

    @Test
    void callsThatBreakShutTheRoute() {
        for (int i = 0; i < CALLS; i++) {
            call(BROKEN);
        }
        assertThat(circuit.isOpen()).isTrue();
        assertThat(circuit.refuse(claim)).isPresent();
    }

    @Test
    void callsThatSayNothingOfTheReceiverDoNot() {
        for (int i = 0; i < 10 * CALLS; i++) {
            call(BROKEN.sayingNothingOfTheReceiver());
        }
        assertThat(circuit.isOpen()).isFalse();
    }

    private void call(Verdict verdict) {
        assertThat(circuit.refuse(claim)).isEmpty();
        circuit.ended(claim, verdict, 1);
    }
}
