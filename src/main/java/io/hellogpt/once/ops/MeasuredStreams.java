package io.hellogpt.once.ops;

import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;

/**
 * Streams whose transactions are all fenced ({@link FencedClients}), and whose metrics any thread may read at any time.
 *
 * <p>One gauge of a transactional store asks RocksDB for the size of a buffer, and Streams 4.4.0 frees that buffer before it takes the
 * gauge away ({@code MeteredKeyValueStore.close}). Whoever reads all metrics while a task is being closed, as a registry of meters does
 * every minute and at every scrape, reads freed memory, and the process is gone with SIGSEGV. So that gauge is not among them.
 */
final class MeasuredStreams extends KafkaStreams {
    static final String FREED_TOO_EARLY = "uncommitted-bytes";

    MeasuredStreams(Topology topology, Properties properties, FencedClients clients) {
        super(topology, properties, clients);
    }

    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return readable(super.metrics());
    }

    /** All but those that may be read only while their store is open. */
    static Map<MetricName, Metric> readable(Map<MetricName, ? extends Metric> metrics) {
        return metrics.entrySet().stream()
                .filter(metric -> !metric.getKey().name().equals(FREED_TOO_EARLY))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
