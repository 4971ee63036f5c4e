package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.schema.Codecs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The task as a worker drives it, with a real database, a real receiver and no broker to publish to. */
class EffectSinkTaskIT {
    private final EffectSinkTask task = new EffectSinkTask();
    private final List<SinkRecord> reported = new ArrayList<>();
    private Receiver receiver;
    private String url;

    @BeforeEach
    void open() throws IOException {
        receiver = new Receiver();
        url = Databases.create();
    }

    @AfterEach
    void close() {
        task.stop();
        receiver.close();
    }

    @Test
    void whatIsNoEffectIsReportedAndTheTaskGoesOn() {
        start(Map.of(), true);

        assertThatCode(() -> task.put(List.of(
                        record(0, "garbage".getBytes(StandardCharsets.UTF_8)),
                        record(1, null),
                        record(2, new byte[0]))))
                .doesNotThrowAnyException();

        assertThat(reported).hasSize(3);
    }

    @Test
    void aNullReporterChangesNothing() {
        start(Map.of(), false);

        assertThatCode(() -> task.put(List.of(record(0, new byte[] {1, 2, 3})))).doesNotThrowAnyException();
    }

    @Test
    void anUnreachableLedgerPutsTheBatchOff() {
        start(
                Map.of(
                        "once.ledger.jdbc.url", "jdbc:postgresql://localhost:1/none",
                        "once.ledger.connect.timeout.ms", "1000"),
                false);

        assertThatThrownBy(() -> task.put(List.of(effect(0)))).isInstanceOf(RetriableException.class);
        assertThat(receiver.calls()).isEmpty();
    }

    @Test
    void unreachableBrokersPutTheBatchOffAndNothingIsExecutedAgain() {
        start(Map.of(), false);

        assertThatThrownBy(() -> task.put(List.of(effect(0)))).isInstanceOf(RetriableException.class);
        assertThatThrownBy(() -> task.put(List.of(effect(0)))).isInstanceOf(RetriableException.class);

        assertThat(receiver.calls()).hasSize(1);
    }

    @Test
    void aWorkerThatConvertsTheBytesIsToldSo() {
        start(Map.of(), false);

        assertThatThrownBy(() -> task.put(List.of(record(0, "text"))))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("ByteArrayConverter");
    }

    private static SinkRecord effect(long offset) {
        return record(offset, Codecs.EFFECT.encode(Effects.of("r-1", 1, "signing", 1)));
    }

    private static SinkRecord record(long offset, Object value) {
        return new SinkRecord("effects", 0, null, null, null, value, offset);
    }

    private void start(Map<String, String> more, boolean withReporter) {
        Map<String, String> props = new HashMap<>();
        props.put("consumer.override.isolation.level", "read_committed");
        props.put("once.outcomes.bootstrap.servers", "localhost:1");
        props.put("once.outcomes.ack.timeout.ms", "300");
        props.put("once.ledger.jdbc.url", url);
        props.put("once.ledger.jdbc.user", "postgres");
        props.put("once.routes", "signing");
        props.put("once.route.signing.class", "KEYED");
        props.put("once.route.signing.url", receiver.url());
        props.put("once.route.signing.private.addresses", "true");
        props.put("once.route.signing.key.window.ms", "3600000");
        props.putAll(more);
        task.initialize(new Context(withReporter ? this::report : null));
        task.start(props);
    }

    private Future<Void> report(SinkRecord record, Throwable cause) {
        reported.add(record);
        return CompletableFuture.completedFuture(null);
    }

    /** What a worker offers, as far as the task uses it. */
    private record Context(ErrantRecordReporter reporter) implements SinkTaskContext {
        @Override
        public Map<String, String> configs() {
            return Map.of();
        }

        @Override
        public void offset(Map<TopicPartition, Long> offsets) {}

        @Override
        public void offset(TopicPartition partition, long offset) {}

        @Override
        public void timeout(long timeoutMs) {}

        @Override
        public Set<TopicPartition> assignment() {
            return Set.of();
        }

        @Override
        public void pause(TopicPartition... partitions) {}

        @Override
        public void resume(TopicPartition... partitions) {}

        @Override
        public void requestCommit() {}

        @Override
        public PluginMetrics pluginMetrics() {
            throw new UnsupportedOperationException("an older worker has none");
        }

        @Override
        public ErrantRecordReporter errantRecordReporter() {
            return reporter;
        }
    }
}
