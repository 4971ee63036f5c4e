package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.Life;
import io.hellogpt.once.core.ModelCall;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An id may come with other content while a call that an aborted step has started still runs. */
class CallLivesTest {
    private final CallRegistry registry = new CallRegistry(Clock.systemUTC());

    @Test
    void aCallOfTheSameRequestCounts() {
        assertThat(admit("one", 1)).isPresent();
        assertThat(admit("one", 2)).isEmpty();
    }

    @Test
    void aCallOfAnotherRequestOfTheIdGivesWay() {
        CallEntry first = admit("one", 1).orElseThrow();

        Optional<CallEntry> second = admit("another", 1);

        assertThat(second).isPresent();
        assertThat(first.phase()).isEqualTo(CallEntry.Phase.CANCELLED);
        assertThat(registry.unsettled(0)).containsExactly(second.get().asRunning());
    }

    @Test
    void anAnswerToAnotherRequestOfTheIdDoesNotCount() {
        CallEntry first = admit("one", 1).orElseThrow();
        registry.end(first);
        registry.settle(first, 1, true);

        assertThat(admit("one", 2)).isEmpty();
        assertThat(admit("another", 1)).isPresent();
    }

    private Optional<CallEntry> admit(String content, int attempt) {
        ModelCall call = Calls.call("a", attempt, Instant.now().plusSeconds(60));
        Life life = new Life(Calls.RECEIVED, Optional.of(new Fingerprint(content)));
        return registry.admit(0, new ModelCall(call.request(), call.turn(), attempt, life, call.deadline()), 0);
    }
}
