package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.ModelCall;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModelClientsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @Test
    void bothBuiltInClientsAreFound() {
        assertThat(ModelClients.names()).contains("openai", "simulated");
    }

    @Test
    void anUnknownNameIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> assembled("oracle", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("oracle", "openai", "simulated");
    }

    @Test
    void aMissingAddressIsNamedByItsKey() {
        assertThatThrownBy(() -> assembled("openai", Map.of())).hasMessageContaining("model.openai.base.url");
    }

    @Test
    void theSimulatedModelGivesOneAttemptOneAnswer() throws Exception {
        ModelClient client = assembled("simulated", Map.of());

        Answer first = client.complete(call(1));
        assertThat(client.complete(call(1)).body()).isEqualTo(first.body());
        assertThat(client.complete(call(2)).body()).isNotEqualTo(first.body());
    }

    @Test
    void theSimulatedModelCanBeAsUnpredictableAsARealOne() throws Exception {
        ModelClient client = assembled("simulated", Map.of("seed", "random"));

        assertThat(client.complete(call(1)).body())
                .isNotEqualTo(client.complete(call(1)).body());
    }

    @Test
    void theSimulatedModelFailsAsOftenAsItIsTold() {
        ModelClient client = assembled("simulated", Map.of("error.unauthorized", "1"));

        assertThat(failure(client).kind()).isEqualTo(CallError.Kind.UNAUTHORIZED);
    }

    @Test
    void everyClientIsHeldToTheSizeOfASnapshot() {
        ModelClient client = assembled("simulated", Map.of("snapshot.max.bytes", "10"));

        assertThat(failure(client).kind()).isEqualTo(CallError.Kind.TOO_LARGE);
    }

    @Test
    void everyClientIsHeldToTheDeadline() {
        ModelClient client = assembled("simulated", Map.of("latency.base.ms", "600000"));
        ModelCall call = Calls.call("contract-1", 1, Instant.now());

        CallError error = catchThrowableOfType(ModelCallException.class, () -> client.complete(call))
                .error();

        assertThat(error.kind()).isEqualTo(CallError.Kind.RETRYABLE);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void callsAreMeasuredByOutcome() throws Exception {
        assembled("simulated", Map.of()).complete(call(1));
        failure(assembled("simulated", Map.of("error.rejected", "1")));

        assertThat(meters.get("once.model.calls")
                        .tag("outcome", "answered")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("once.model.calls")
                        .tag("outcome", "rejected")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("once.model.tokens")
                        .tag("direction", "output")
                        .counter()
                        .count())
                .isPositive();
    }

    private ModelClient assembled(String name, Map<String, String> config) {
        return ModelClients.assemble(name, config, meters, Clock.systemUTC());
    }

    private static CallError failure(ModelClient client) {
        return catchThrowableOfType(ModelCallException.class, () -> client.complete(call(1)))
                .error();
    }

    private static ModelCall call(int attempt) {
        return Calls.call("contract-1", attempt, Instant.now().plusSeconds(30));
    }
}
