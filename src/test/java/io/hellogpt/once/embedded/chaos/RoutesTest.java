package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.config.EffectSinkConfig;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RoutesTest {
    private final EffectSinkConfig config = new EffectSinkConfig(onAWorker());

    @Test
    void theConnectorTakesThemAll() {
        assertThat(config.routes().keySet()).isEqualTo(Routes.CLASSES.keySet());
    }

    @Test
    void aPersonWaitsUntilNothingThatWasSentCanArriveAnyMore() {
        Duration receiverPaused = FaultType.of(FaultKind.PAUSED, Role.RECEIVERS).longest();
        assertThat(ScriptedOperator.PATIENCE)
                .isGreaterThanOrEqualTo(config.lease().plus(receiverPaused));
    }

    @Test
    void whenNobodyIsSilentAPersonWaitsLongerThanARouteDoes() {
        long longest = Routes.connector("user").entrySet().stream()
                .filter(entry -> entry.getKey().matches("once\\.route\\..*\\.timeout\\.ms"))
                .mapToLong(entry -> Long.parseLong(entry.getValue()))
                .max()
                .orElseThrow();
        assertThat(ScriptedOperator.CALM_PATIENCE).isGreaterThan(Duration.ofMillis(longest));
    }

    @Test
    void aWorkerIsNeverPausedForAsLongAsItsLease() {
        assertThat(FaultType.of(FaultKind.PAUSED, Role.WORKER).longest()).isLessThan(config.lease());
    }

    /** What the worker makes of the references to its environment. */
    private static Map<String, String> onAWorker() {
        Map<String, String> resolved = new TreeMap<>();
        Routes.connector("user")
                .forEach((key, value) -> resolved.put(
                        key,
                        value.replace("${env:ONCE_BROKERS}", "127.0.0.1:9092")
                                .replace("${env:ONCE_LEDGER}", "jdbc:postgresql://127.0.0.1:5432/postgres")
                                .replace("${env:ONCE_RECEIVERS}", "http://127.0.0.1:8082")));
        return resolved;
    }
}
