package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestIdFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnceConfigTest {
    @TempDir
    Path directory;

    @Test
    void theDefaultsAreThoseOfTheProtocol() {
        OnceConfig config = OnceConfig.of(Map.of());

        assertThat(config.protocol()).isEqualTo(ProtocolSettings.defaults());
        assertThat(config.requestIds().pattern().pattern())
                .isEqualTo(RequestIdFormat.DEFAULT.pattern().pattern());
        assertThat(config.requestIds().maxLength()).isEqualTo(RequestIdFormat.DEFAULT.maxLength());
        assertThat(config.billingRoute()).contains("billing");
    }

    @Test
    void theEnvironmentOverridesTheFileAndTheCommandLineOverridesBoth() throws IOException {
        Path file = directory.resolve("once.properties");
        Files.writeString(file, "dedup.retention=1d\nhold.timeout=1h\nmodel.max.in.flight=3\n");

        OnceConfig config = ConfigLoader.load(
                Optional.of(file),
                Map.of(
                        "ONCE_DEDUP_RETENTION",
                        "2d",
                        "ONCE_HOLD_TIMEOUT",
                        "2h",
                        "ONCE_JAVA_OPTS",
                        "-Xmx1g",
                        "HOME",
                        "/"),
                List.of("dedup.retention=3d"));

        assertThat(config.duration(Settings.DEDUP_RETENTION)).isEqualTo(Duration.ofDays(3));
        assertThat(config.duration(Settings.HOLD_TIMEOUT)).isEqualTo(Duration.ofHours(2));
        assertThat(config.number(Settings.MODEL_MAX_IN_FLIGHT)).isEqualTo(3);
    }

    @Test
    void anUnknownNameIsRefusedWithItsNearestNeighbour() {
        assertThatThrownBy(() -> OnceConfig.of(Map.of("dedup.retension", "7d")))
                .isInstanceOf(ConfigError.class)
                .hasMessage("there is no setting dedup.retension; did you mean dedup.retention?");
        assertThatThrownBy(() -> OnceConfig.of(Map.of("model.max.in.flihgt", "7")))
                .hasMessageContaining("did you mean model.max.in.flight?");
    }

    @Test
    void anInvalidValueIsRefusedWithItsName() {
        assertThatThrownBy(() -> OnceConfig.of(Map.of("dedup.retention", "a week")))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining("dedup.retention")
                .hasMessageContaining("7d");
        assertThatThrownBy(() -> OnceConfig.of(Map.of("request.id.pattern", "[a")))
                .hasMessageContaining("request.id.pattern");
    }

    @Test
    void aCollectorThatIsNoUrlIsRefusedBeforeTheStart() {
        assertThatThrownBy(() -> OnceConfig.of(Map.of("tracing.otlp.endpoint", "localhost:4318")))
                .isInstanceOf(ConfigError.class)
                .hasMessageContainingAll("tracing.otlp.endpoint", "localhost:4318", "http");
        assertThat(OnceConfig.of(Map.of("tracing.otlp.endpoint", "http://localhost:4318/v1/traces"))
                        .ratio("tracing.sample.ratio"))
                .isOne();
    }

    @Test
    void aTransactionMayNotLiveAsLongAsAModelCall() {
        assertThatThrownBy(() -> OnceConfig.of(Map.of("model.call.timeout.ms", "15000")))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining("transaction.timeout.ms")
                .hasMessageContaining("model.call.timeout.ms");
    }

    @Test
    void prefixedNamesGoToTheClientsTheyAreMeantFor() {
        OnceConfig config = OnceConfig.of(Map.of(
                "kafka.security.protocol", "SSL",
                "kafka.producer.linger.ms", "3",
                "kafka.consumer.fetch.min.bytes", "9",
                "kafka.streams.poll.ms", "50",
                "model.openai.base.url", "http://localhost:1"));

        Properties streams = config.streams();
        assertThat(streams)
                .containsEntry("security.protocol", "SSL")
                .containsEntry("producer.linger.ms", "3")
                .containsEntry("consumer.fetch.min.bytes", "9")
                .containsEntry("poll.ms", "50");
        assertThat(config.journalProducer()).containsEntry("linger.ms", "3").doesNotContainKey("poll.ms");
        assertThat(config.admin()).containsOnlyKeys("bootstrap.servers", "security.protocol");
        assertThat(config.modelClient()).contains(Map.entry("base.url", "http://localhost:1"));
    }

    @Test
    void ownDefaultsGiveWayToWhatIsPassedOn() {
        assertThat(OnceConfig.of(Map.of()).streams())
                .containsEntry("poll.ms", 5)
                .containsEntry("producer.retry.backoff.ms", 20)
                .containsEntry("consumer.max.partition.fetch.bytes", 65_536)
                .containsEntry("restore.consumer.max.partition.fetch.bytes", 4_194_304);
        assertThat(OnceConfig.of(Map.of("kafka.retry.backoff.ms", "70", "kafka.streams.poll.ms", "80"))
                        .streams())
                .containsEntry("poll.ms", "80")
                .containsEntry("retry.backoff.ms", "70")
                .doesNotContainKey("producer.retry.backoff.ms");
        assertThat(OnceConfig.of(Map.of(
                                "kafka.producer.retry.backoff.ms",
                                "90",
                                "kafka.consumer.max.partition.fetch.bytes",
                                "100000",
                                "kafka.restore.consumer.max.partition.fetch.bytes",
                                "200000"))
                        .streams())
                .containsEntry("producer.retry.backoff.ms", "90")
                .containsEntry("consumer.max.partition.fetch.bytes", "100000")
                .containsEntry("restore.consumer.max.partition.fetch.bytes", "200000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka.partitioner.class",
                "kafka.producer.partitioner.class",
                "kafka.streams.producer.partitioner.ignore.keys",
                "kafka.streams.processing.guarantee",
                "kafka.streams.processing.exception.handler",
                "kafka.streams.production.exception.handler",
                "kafka.streams.default.production.exception.handler",
                "kafka.streams.deserialization.exception.handler",
                "kafka.streams.default.deserialization.exception.handler",
                "kafka.consumer.isolation.level",
                "kafka.streams.main.consumer.isolation.level",
                "kafka.producer.enable.idempotence",
                "kafka.producer.acks",
                "kafka.producer.transactional.id",
                "kafka.streams.statestore.cache.max.bytes",
                "kafka.streams.enable.transactional.statestores",
                "kafka.consumer.auto.offset.reset",
                "kafka.streams.restore.consumer.auto.offset.reset",
                "kafka.enable.auto.commit"
            })
    void whatThePromiseRestsOnCannotBePassedThrough(String name) {
        assertThatThrownBy(() -> OnceConfig.of(Map.of(name, "any")))
                .isInstanceOf(ConfigError.class)
                .hasMessageStartingWith(name + " cannot be set: ");
    }

    @Test
    void theClientsRunWithWhatThePromiseRestsOn() {
        OnceConfig config = OnceConfig.of(Map.of());

        StreamsConfig streams = new StreamsConfig(config.streams());
        assertThat(streams.getString("processing.guarantee")).isEqualTo("exactly_once_v2");
        assertThat(streams.getBoolean("enable.transactional.statestores")).isTrue();
        assertThat(streams.getMainConsumerConfigs("group", "client", 0))
                .containsEntry("isolation.level", "read_committed");
        assertThat(config.reader()).containsEntry("isolation.level", "read_committed");
        assertThat(config.journalProducer()).containsEntry("acks", "all");
    }

    @Test
    void aDrainShorterThanACallIsWarnedOf() {
        assertThat(OnceConfig.of(Map.of()).warnings()).isEmpty();
        assertThat(OnceConfig.of(Map.of("shutdown.drain.timeout", "25s")).warnings())
                .singleElement()
                .asString()
                .contains("shutdown.drain.timeout (25 s)", "model.call.timeout.ms (120 s)", "paid for again");
        assertThat(OnceConfig.of(Map.of("model.call.timeout.ms", "140000")).warnings())
                .hasSize(1);
    }
}
