package io.hellogpt.once.connect;

import io.hellogpt.once.connect.receiver.Alerts.Alert;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * What a task counts, by route. Safe for several threads. Effects of routes nobody has set up are counted under one name, since
 * whoever writes effects chooses theirs.
 */
final class TaskMeters {
    static final String UNROUTED = "unrouted";

    private final Map<String, Counts> routes = new LinkedHashMap<>();

    private static final class Counts {
        private final LongAdder attempts = new LongAdder();
        private final LongAdder fenced = new LongAdder();
        private final Map<Result, LongAdder> outcomes = new EnumMap<>(Result.class);

        private Counts() {
            for (Result result : Result.values()) {
                outcomes.put(result, new LongAdder());
            }
        }
    }

    /** Where numbers are shown. */
    interface Board {
        /** Shows what could not be shown yet. */
        void refresh();

        /** @param tags in addition to the route */
        void show(String name, String description, String route, Map<String, String> tags, LongSupplier value);
    }

    TaskMeters(Collection<String> routeNames) {
        routeNames.forEach(name -> routes.put(name, new Counts()));
        routes.put(UNROUTED, new Counts());
    }

    /** An attempt is handed to its receiver, or to the database. */
    void attempt(String route) {
        counts(route).attempts.increment();
    }

    /** The brokers have an outcome. */
    void outcome(String route, Result result) {
        counts(route).outcomes.get(result).increment();
    }

    /** A lease was lost: another task has taken an effect over. */
    void fenced(String route) {
        counts(route).fenced.increment();
    }

    long fencedOf(String route) {
        return counts(route).fenced.sum();
    }

    long outcomesOf(String route, Result result) {
        return counts(route).outcomes.get(result).sum();
    }

    private Counts counts(String route) {
        Counts counts = routes.get(route);
        return counts == null ? routes.get(UNROUTED) : counts;
    }

    /** Shows everything there is to show. */
    void showOn(Board board, Backlog backlog, Dispatcher dispatcher) {
        routes.forEach((route, counts) -> {
            board.show("attempts-total", "Attempts handed to the receiver.", route, Map.of(), counts.attempts::sum);
            board.show(
                    "fenced-total",
                    "Outcomes that came after another task had taken the effect over.",
                    route,
                    Map.of(),
                    counts.fenced::sum);
            counts.outcomes.forEach((result, count) -> board.show(
                    "outcomes-total",
                    "Outcomes the brokers have acknowledged.",
                    route,
                    Map.of("result", result.name()),
                    count::sum));
        });
        backlog.depths(System.nanoTime()).keySet().forEach(route -> {
            board.show(
                    "pending-oldest-ms",
                    "Since the oldest effect without a published outcome was read, in ms; 0 when there is none.",
                    route,
                    Map.of(),
                    () -> backlog.depths(System.nanoTime()).get(route).oldestMillis());
            board.show(
                    "pending",
                    "Effects read whose outcome is not published.",
                    route,
                    Map.of(),
                    () -> backlog.depths(System.nanoTime()).get(route).records());
            board.show(
                    "circuit-open",
                    "1 while the route is given no calls.",
                    route,
                    Map.of(),
                    () -> dispatcher.isOpen(route) ? 1 : 0);
            for (Alert alert : Alert.values()) {
                board.show(
                        "alerts-total",
                        "What no retry mends and people must know of.",
                        route,
                        Map.of("alert", alert.name()),
                        () -> dispatcher.alerts(route, alert));
            }
        });
    }
}
