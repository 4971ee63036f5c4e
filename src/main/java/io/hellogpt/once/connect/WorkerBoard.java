package io.hellogpt.once.connect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows numbers as metrics of the worker (KIP-877), which names connector and task in the tags and removes them with the task.
 * Nothing else may name the types of that interface: workers before 4.1 do not have them.
 */
final class WorkerBoard implements TaskMeters.Board {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerBoard.class);

    private final PluginMetrics metrics;

    private final List<Shown> waiting = new ArrayList<>();

    private record Shown(MetricName name, Gauge<Long> value) {}

    WorkerBoard(PluginMetrics metrics) {
        this.metrics = metrics;
    }

    /** Empty on a worker that is too old for it. */
    static Optional<TaskMeters.Board> of(SinkTaskContext context) {
        try {
            return Optional.of(new WorkerBoard(context.pluginMetrics()));
        } catch (LinkageError | UnsupportedOperationException e) {
            LOG.info("the worker has no metrics for plugins (they came with Kafka 4.1); this task's are not shown");
            return Optional.empty();
        }
    }

    @Override
    public void show(String name, String description, String route, Map<String, String> tags, LongSupplier value) {
        LinkedHashMap<String, String> all = new LinkedHashMap<>();
        all.put("route", route);
        all.putAll(tags);
        waiting.add(new Shown(metrics.metricName(name, description, all), (config, now) -> value.getAsLong()));
        refresh();
    }

    /**
     * A worker that has lost patience with a task starts the next one of the same name beside it, while the numbers of the first
     * are still there under that name. They are shown when it is gone; until then only they are missing.
     */
    @Override
    public void refresh() {
        waiting.removeIf(this::isShown);
    }

    private boolean isShown(Shown shown) {
        try {
            metrics.addMetric(shown.name(), shown.value());
            return true;
        } catch (IllegalArgumentException taken) {
            return false;
        }
    }
}
