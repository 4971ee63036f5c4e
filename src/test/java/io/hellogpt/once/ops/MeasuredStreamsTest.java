package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredStreamsTest {
    @TempDir
    Path dir;

    /** A registry of meters holds on to metrics for up to a minute. */
    @Test
    void whatIsFreedBeforeItIsTakenAwayIsNotAmongThemAndTheOthersCanBeReadWhenTheirStoreIsClosed() {
        Map<MetricName, Metric> readable;
        try (TopologyTestDriver driver = withTransactionalStore()) {
            driver.createInputTopic("in", new StringSerializer(), new StringSerializer())
                    .pipeInput("key", "value");
            assertThat(driver.metrics().keySet().stream().map(MetricName::name))
                    .as("the metrics of a transactional store")
                    .contains(MeasuredStreams.FREED_TOO_EARLY);
            readable = MeasuredStreams.readable(driver.metrics());
        }

        assertThat(readable.keySet().stream().map(MetricName::name)).doesNotContain(MeasuredStreams.FREED_TOO_EARLY);
        assertThat(readable.keySet().stream().map(MetricName::group)).contains("stream-state-metrics");
        readable.values()
                .forEach(metric -> assertThatCode(metric::metricValue)
                        .as(metric.metricName().name())
                        .doesNotThrowAnyException());
    }

    private TopologyTestDriver withTransactionalStore() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.table(
                "in",
                Consumed.with(Serdes.String(), Serdes.String()),
                Materialized.<String, String>as(Stores.persistentKeyValueStore("kept"))
                        .withKeySerde(Serdes.String())
                        .withValueSerde(Serdes.String()));
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "measured");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, dir.toString());
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        properties.put("enable.transactional.statestores", "true");
        return new TopologyTestDriver(builder.build(), properties);
    }
}
