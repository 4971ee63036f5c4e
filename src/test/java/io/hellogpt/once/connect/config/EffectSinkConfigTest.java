package io.hellogpt.once.connect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.connect.EffectSinkConnector;
import io.hellogpt.once.connect.EffectSinkTask;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EffectSinkConfigTest {
    private static final Path EXAMPLE = Path.of("src/main/assembly/connect-doc/connector.json");

    @Test
    void theExampleInTheArchiveIsAccepted() throws IOException {
        EffectSinkConfig config = new EffectSinkConfig(example());

        assertThat(config.routes().keySet()).containsExactlyInAnyOrder("billing", "signing", "notify");
        assertThat(config.routes().get("signing").recovery())
                .isEqualTo(new Recovery.Keyed("Idempotency-Key", true, Duration.ofDays(1), Duration.ofSeconds(20)));
        assertThat(errors(example())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    once.route.signing.key.window.ms,                    '',     once.route.signing.key.window.ms
                    once.route.signing.key.window.ms,                    5000,   once.route.signing.key.window.ms
                    once.route.signing.key.window.ms,                    30000,  once.route.signing.key.window.ms
                    once.send.timeout.ms,                                86380000, once.send.timeout.ms
                    once.route.signing.class,                            LOCAL,  once.route.signing.type
                    once.route.signing.class,                            PROBEABLE, once.route.signing.probe.url
                    once.route.billing.class,                            OPAQUE, once.route.billing.type
                    once.route.notify.url,                               '',     once.route.notify.url
                    once.route.notify.url,                               https://u:p@host/, once.route.notify.url
                    once.route.notify.url,                               https://host/{payload}, once.route.notify.url
                    once.route.notify.auth.type,                         bearer, once.route.notify.auth.token
                    once.route.notify.timeout,                           1,      once.route.notify.timeout
                    once.route.other.url,                                http://h/, once.route.other.url
                    once.ledger.url,                                     x,      once.ledger.url
                    once.outcomes.producer.acks,                         1,      once.outcomes.producer.acks
                    consumer.override.max.poll.interval.ms,              15000,  once.drain.timeout.ms
                    once.queue.max.records,                              0,      once.queue.max.records
                    once.circuit.failure.rate.percent,                   101,    once.circuit.failure.rate.percent
                    once.routes,                                         'billing,signing,notify,notify', once.routes
                    consumer.override.isolation.level,                   read_uncommitted, consumer.override.isolation.level
                    consumer.override.isolation.level,                   '',     consumer.override.isolation.level
                    once.ledger.jdbc.url,                                jdbc:mysql://h/d, once.ledger.jdbc.url
                    """)
    void aSettingThatWouldBreakThePromiseIsRefusedByName(String key, String value, String named) throws IOException {
        Map<String, String> props = example();
        if (value.isEmpty()) {
            props.remove(key);
        } else {
            props.put(key, value);
        }

        assertThat(errors(props)).anyMatch(error -> error.contains(named));
        assertThatThrownBy(() -> new EffectSinkConfig(props))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(named);
    }

    @Test
    void aWindowThatOutlastsACallAndItsRepetitionIsAccepted() throws IOException {
        Map<String, String> props = example();
        props.put("once.route.signing.key.window.ms", "30001");

        assertThat(errors(props)).isEmpty();
    }

    @Test
    void theProducerOfOutcomesCannotBeWeakened() throws IOException {
        Map<String, String> props = example();
        props.put("once.outcomes.producer.security.protocol", "SSL");

        assertThat(new EffectSinkConfig(props).outcomesProducer())
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", "true")
                .containsEntry("security.protocol", "SSL");
    }

    @Test
    void secretsAreNotPrinted() throws IOException {
        EffectSinkConfig config = new EffectSinkConfig(example());

        assertThat(config.routes().toString() + config.ledger() + config.values())
                .doesNotContain("secrets.properties");
    }

    @Test
    void everyTaskGetsTheWholeConfiguration() throws IOException {
        EffectSinkConnector connector = new EffectSinkConnector();
        connector.start(example());

        assertThat(connector.taskConfigs(3)).hasSize(3).allMatch(task -> task.containsKey(SinkKeys.LEDGER_PASSWORD));
        assertThat(connector.taskClass()).isEqualTo(EffectSinkTask.class);
        assertThat(connector.version()).matches("\\d+\\.\\d+\\.\\d+.*|\\$\\{project.version}");
    }

    private static List<String> errors(Map<String, String> props) {
        return new EffectSinkConnector()
                .validate(props).configValues().stream()
                        .map(ConfigValue::errorMessages)
                        .flatMap(List::stream)
                        .toList();
    }

    private static Map<String, String> example() throws IOException {
        JsonNode config = new ObjectMapper().readTree(EXAMPLE.toFile()).path("config");
        Map<String, String> props = new HashMap<>();
        config.properties()
                .forEach(field -> props.put(field.getKey(), field.getValue().asText()));
        return props;
    }
}
