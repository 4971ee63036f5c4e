package io.hellogpt.once.ops.meters;

import io.hellogpt.once.topology.Topics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Records of each input that stand committed and unread, {@code once.input.lag}, over the partitions of this instance. The lag of
 * {@code model-responses} is the journal's: answers that are paid for and not yet recorded.
 *
 * @param metrics of the stream's own consumers; the binder for Kafka's metrics leaves the ones by partition out
 */
public record LagMeters(Supplier<Map<MetricName, ? extends Metric>> metrics) implements MeterBinder {
    private static final String LAG = "records-lag";

    @Override
    public void bindTo(MeterRegistry meters) {
        for (String topic : Topics.INPUTS) {
            Gauge.builder("once.input.lag", this, self -> self.lag(topic))
                    .description("Records that stand in an input topic and have not been read")
                    .tag("topic", topic)
                    .register(meters);
        }
    }

    private double lag(String topic) {
        return metrics.get().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals(LAG)
                        && topic.equals(metric.getKey().tags().get("topic")))
                .map(metric -> metric.getValue().metricValue())
                .filter(Double.class::isInstance)
                .mapToDouble(Double.class::cast)
                .filter(lag -> lag > 0)
                .sum();
    }
}
