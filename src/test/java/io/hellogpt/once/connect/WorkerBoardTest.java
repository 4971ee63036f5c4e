package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.junit.jupiter.api.Test;

class WorkerBoardTest {
    @Test
    void aTaskBesideItsPredecessorShowsItsNumbersWhenThatOneIsGone() throws IOException {
        try (Metrics metrics = new Metrics()) {
            PluginMetricsImpl old = new PluginMetricsImpl(metrics, Map.of("task", "0"));
            new WorkerBoard(old).show("attempts-total", "", "r", Map.of(), () -> 1);
            WorkerBoard board = new WorkerBoard(new PluginMetricsImpl(metrics, Map.of("task", "0")));

            board.show("attempts-total", "", "r", Map.of(), () -> 2);
            assertThat(shown(metrics)).containsExactly(1L);
            old.close();
            board.refresh();

            assertThat(shown(metrics)).containsExactly(2L);
        }
    }

    private static List<Object> shown(Metrics metrics) {
        return metrics.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("attempts-total"))
                .map(metric -> metric.getValue().metricValue())
                .toList();
    }
}
