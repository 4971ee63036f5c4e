package io.hellogpt.once.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.Receive.Reception;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReceiveTest {
    private final Receive receive = new Receive(Bench.SETTINGS, name -> true);

    /** What ended in that very moment may be forgotten now; such a record could be its duplicate. */
    @Test
    void whatWasMadeInTheMomentTheWindowBeginsIsExpired() {
        Instant windowBegins = Bench.START.minus(Bench.RETENTION);

        assertThat(receive(windowBegins)).isInstanceOf(Reception.Settled.class);
        assertThat(receive(windowBegins.plusMillis(1))).isInstanceOf(Reception.Accepted.class);
    }

    private Reception receive(Instant createdAt) {
        ModelRequest request = new ModelRequest(
                Bench.ID, "m", "[]", "{}", "bench", List.of(), Optional.of(createdAt), Optional.empty(), Map.of());
        ReceivedRequest received =
                new ReceivedRequest(request, Bench.FINGERPRINT, new SourcePosition("requests", 0, 1), Bench.START);
        return receive.receive(new Bench(), received, new Moment(Bench.START, Bench.START));
    }
}
