package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.schema.Codecs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The task as a worker drives it, with a real database, a real receiver and no broker to publish to. */
class EffectSinkTaskIT {
    private final EffectSinkTask task = new EffectSinkTask();
    private static final TopicPartition PARTITION = new TopicPartition("effects", 0);
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final List<SinkRecord> reported = new ArrayList<>();
    private final Set<TopicPartition> paused = new HashSet<>();
    private CompletableFuture<Void> reports = CompletableFuture.completedFuture(null);
    private Supplier<PluginMetrics> pluginMetrics = () -> {
        throw new UnsupportedOperationException("an older worker has none");
    };
    private long timeout;
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
    void whatIsNoEffectMovesItsOffsetOnlyOnceItIsReported() {
        start(Map.of(), true);
        reports = new CompletableFuture<>();

        task.put(List.of(record(0, new byte[] {1, 2, 3})));
        assertThat(committable(1)).isZero();
        CompletableFuture<Void> first = reports;
        reports = CompletableFuture.completedFuture(null);
        first.completeExceptionally(new IllegalStateException("no broker"));
        task.put(List.of());
        task.put(List.of());

        assertThat(reported).hasSize(2);
        assertThat(committable(1)).isOne();
    }

    @Test
    void errorsThatAreNotToleratedDoNotEndTheTask() {
        start(Map.of("errors.tolerance", "none"), true);

        task.put(List.of(record(0, new byte[] {1, 2, 3})));

        assertThat(reported).isEmpty();
        assertThat(committable(1)).isOne();
    }

    @Test
    void anUnreachableLedgerKeepsTheRecordsAndTheirOffset() {
        start(
                Map.of(
                        "once.ledger.jdbc.url", "jdbc:postgresql://localhost:1/none",
                        "once.ledger.connect.timeout.ms", "1000"),
                false);

        task.put(List.of(effect(0)));

        assertThat(committable(1)).isZero();
        task.stop();
        assertThat(receiver.calls()).isEmpty();
    }

    @Test
    void unreachableBrokersKeepTheOffsetAndNothingIsExecutedAgain() {
        start(Map.of(), false);

        task.put(List.of(effect(0), effect(1)));
        await().atMost(BOUND).until(() -> receiver.calls().size() == 1);
        task.put(List.of());

        assertThat(committable(2)).isZero();
        assertThat(receiver.calls()).hasSize(1);
    }

    @Test
    void putReturnsWhileCallsAreOut() {
        Gate gate = new Gate();
        start(Map.of(), false);
        receiver.then(gate.before(Receiver.status(200, "")));

        task.put(List.of(effect(0)));
        await().atMost(BOUND).until(() -> receiver.calls().size() == 1);
        task.put(List.of());

        assertThat(committable(1)).isZero();
        gate.open();
    }

    @Test
    void aFullQueuePausesThePartitionsItIsFedFrom() {
        start(Map.of("once.queue.max.records", "2"), false);

        task.put(List.of(effect(0), effect(1)));

        assertThat(paused).containsExactly(PARTITION);
        assertThat(timeout).isPositive();
    }

    /** A worker from before KIP-877 has no such method; the context below has none either. */
    @Test
    void aWorkerWithoutMetricsForPluginsRunsTheTask() {
        pluginMetrics = () -> {
            throw new NoSuchMethodError("pluginMetrics");
        };

        assertThatCode(() -> start(Map.of(), false)).doesNotThrowAnyException();
    }

    @Test
    void whatTheTaskCountsIsShownByRoute() {
        Metrics shown = new Metrics();
        pluginMetrics = () -> new PluginMetricsImpl(shown, Map.of("task", "0"));
        start(Map.of(), false);
        receiver.then(Receiver.status(422, ""));

        task.put(List.of(effect(0)));
        await().atMost(BOUND).until(() -> value(shown, "alerts-total", "signing", "KEY_REUSED") == 1);

        assertThat(value(shown, "attempts-total", "signing")).isOne();
        assertThat(value(shown, "alerts-total", "signing", "ROUTE_CLOSED")).isZero();
        assertThat(value(shown, "pending", "signing")).isOne();
        assertThat(value(shown, "fenced-total", "signing")).isZero();
        assertThat(shown.metrics().keySet())
                .extracting(MetricName::name)
                .contains("outcomes-total", "pending-oldest-ms", "circuit-open");
    }

    private static long value(Metrics metrics, String name, String route, String... tag) {
        return metrics.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals(name)
                        && route.equals(metric.getKey().tags().get("route"))
                        && metric.getKey().tags().values().containsAll(List.of(tag)))
                .mapToLong(metric -> (Long) metric.getValue().metricValue())
                .findFirst()
                .orElseThrow();
    }

    private long committable(long consumed) {
        return task.preCommit(Map.of(PARTITION, new OffsetAndMetadata(consumed)))
                .get(PARTITION)
                .offset();
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
        props.put("once.drain.timeout.ms", "500");
        props.put("errors.tolerance", "all");
        props.putAll(more);
        task.initialize(new Context(withReporter ? this::report : null));
        task.start(props);
        task.open(List.of(PARTITION));
    }

    private Future<Void> report(SinkRecord record, Throwable cause) {
        reported.add(record);
        return reports;
    }

    /** What a worker offers, as far as the task uses it. */
    private final class Context implements SinkTaskContext {
        private final ErrantRecordReporter reporter;

        private Context(ErrantRecordReporter reporter) {
            this.reporter = reporter;
        }

        @Override
        public Map<String, String> configs() {
            return Map.of();
        }

        @Override
        public void offset(Map<TopicPartition, Long> offsets) {}

        @Override
        public void offset(TopicPartition partition, long offset) {}

        @Override
        public void timeout(long timeoutMs) {
            timeout = timeoutMs;
        }

        @Override
        public Set<TopicPartition> assignment() {
            return Set.of(PARTITION);
        }

        @Override
        public void pause(TopicPartition... partitions) {
            paused.addAll(List.of(partitions));
        }

        @Override
        public void resume(TopicPartition... partitions) {}

        @Override
        public void requestCommit() {}

        @Override
        public PluginMetrics pluginMetrics() {
            return pluginMetrics.get();
        }

        @Override
        public ErrantRecordReporter errantRecordReporter() {
            return reporter;
        }
    }
}
