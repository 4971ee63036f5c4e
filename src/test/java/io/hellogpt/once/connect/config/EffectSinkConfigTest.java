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

    @Test
    void aRoutesOwnCircuitSettingsStandInPlaceOfTheConnectors() throws Exception {
        Map<String, String> props = example();
        props.put("once.circuit.calls", "30");
        props.put("once.route.notify.circuit.calls", "7");
        props.put("once.route.notify.circuit.open.ms", "500");

        EffectSinkConfig config = new EffectSinkConfig(props);

        assertThat(config.circuit("notify")).isEqualTo(new TaskSettings.Circuit(7, 50, Duration.ofMillis(500)));
        assertThat(config.circuit("signing")).isEqualTo(new TaskSettings.Circuit(30, 50, Duration.ofSeconds(10)));
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
                    once.route.notify.circuit.failure.rate.percent,      101,    circuit.failure.rate.percent
                    once.route.billing.circuit.calls,                    5,      once.route.billing.circuit.calls
                    once.routes,                                         'billing,signing,notify,notify', once.routes
                    consumer.override.isolation.level,                   read_uncommitted, consumer.override.isolation.level
                    consumer.override.isolation.level,                   '',     consumer.override.isolation.level
                    once.route.notify.url,                               http://{effect_id}.example.com/, once.route.notify.url
                    once.route.notify.url,                               http://localhost/, once.route.notify.private.addresses
                    once.route.notify.headers,                           'Authorization: x', once.route.notify.headers
                    once.route.notify.key.window.ms,                     5000,   once.route.notify.key.window.ms
                    once.route.notify.mail.host,                         h.example.com, once.route.notify.mail.host
                    once.route.billing.url,                              http://h/, once.route.billing.url
                    once.route.signing.resend,                           at-least-once, once.route.signing.resend
                    once.route.signing.idempotency.header,               'a b',  once.route.signing.idempotency.header
                    once.route.notify.auth.token,                        t,      once.route.notify.auth.token
                    once.route.notify.auth.type,                         basic,  once.route.notify.auth.user
                    once.route.notify.auth.type,                         oauth2, once.route.notify.auth.token.url
                    once.route.notify.signing.secrets,                   c2hvcnQ=, once.route.notify.signing.secrets
                    once.route.notify.signing.secrets,                   '&',    once.route.notify.signing.secrets
                    once.route.notify.status.busy,                       700,    once.route.notify.status.busy
                    once.route.notify.status.busy,                       599-500, once.route.notify.status.busy
                    once.route.notify.callback.timeout.ms,               0,      once.route.notify.callback.timeout.ms
                    once.route.notify.tls.keystore.password,             p,      once.route.notify.tls.keystore.password
                    once.route.notify.type,                              mail,   once.route.notify.url
                    once.route.signing.type,                             mail,   once.route.signing.class
                    once.allowed.hosts,                                  '*.example.org', once.route.notify.url
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
    void aMisspeltKeyIsRefusedWithTheNearestOne() throws IOException {
        Map<String, String> props = example();
        props.put("once.route.signing.key.widow.ms", "1");

        assertThat(EffectSinkConfig.problems(props))
                .singleElement()
                .asString()
                .contains("once.route.signing.key.widow.ms")
                .contains("did you mean once.route.signing.key.window.ms?");
    }

    @Test
    void aHeaderCannotBringAnotherOne() throws IOException {
        Map<String, String> props = example();
        props.put("once.route.notify.headers", "X-Tenant: a\nX-Other: b");

        assertThat(EffectSinkConfig.problems(props)).singleElement().asString().contains("once.route.notify.headers");
    }

    @Test
    void aStatusIsInOneSetOnly() throws IOException {
        Map<String, String> props = example();
        props.put("once.route.notify.status.busy", "500-503");
        props.put("once.route.notify.status.refused", "503");

        assertThat(EffectSinkConfig.problems(props))
                .singleElement()
                .asString()
                .contains("once.route.notify.status.refused")
                .contains("503")
                .contains("status.busy");
    }

    @Test
    void hostsCanBeBounded() throws IOException {
        Map<String, String> props = example();
        props.put("once.allowed.hosts", "*.example.com");
        assertThat(EffectSinkConfig.problems(props)).isEmpty();

        props.put("once.allowed.hosts", "signing.example.com");
        assertThat(EffectSinkConfig.problems(props))
                .singleElement()
                .asString()
                .contains("once.route.notify.url")
                .contains("hooks.example.com");
    }

    @Test
    void aMailRouteNeedsSenderAndRecipientsAndBoundsThoseInPayloads() throws IOException {
        Map<String, String> props = example();
        props.keySet().removeIf(key -> key.startsWith("once.route.notify."));
        props.put("once.route.notify.class", "OPAQUE");
        props.put("once.route.notify.type", "mail");
        assertThat(EffectSinkConfig.problems(props)).singleElement().asString().contains("mail.host");
        props.put("once.route.notify.mail.host", "smtp.example.com");
        assertThat(EffectSinkConfig.problems(props)).singleElement().asString().contains("mail.from");
        props.put("once.route.notify.mail.from", "once@example.com");
        assertThat(EffectSinkConfig.problems(props)).singleElement().asString().contains("mail.to:");
        props.put("once.route.notify.mail.to.pointer", "/to");
        assertThat(EffectSinkConfig.problems(props)).singleElement().asString().contains("mail.to.domains");
        props.put("once.route.notify.mail.to.domains", "example.com");
        assertThat(EffectSinkConfig.problems(props)).isEmpty();
        props.put("once.route.notify.mail.from", "Once <once@example.com>");
        assertThat(EffectSinkConfig.problems(props)).singleElement().asString().contains("mail.from");
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
