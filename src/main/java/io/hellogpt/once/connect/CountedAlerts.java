package io.hellogpt.once.connect;

import io.hellogpt.once.connect.receiver.Alerts;
import io.hellogpt.once.core.EffectId;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts alerts by route and kind before it passes them on: a log is read by people, a number by what wakes them. */
final class CountedAlerts implements Alerts {
    private final Alerts next;
    private final Map<String, Map<Alert, LongAdder>> counts = new HashMap<>();

    CountedAlerts(Collection<String> routes, Alerts next) {
        this.next = next;
        for (String route : routes) {
            Map<Alert, LongAdder> kinds = new EnumMap<>(Alert.class);
            for (Alert alert : Alert.values()) {
                kinds.put(alert, new LongAdder());
            }
            counts.put(route, kinds);
        }
    }

    @Override
    public void raise(Alert alert, String route, EffectId effect, String why) {
        counts.get(route).get(alert).increment();
        next.raise(alert, route, effect, why);
    }

    /** How often, since the task began; 0 for a route that makes no calls. */
    long count(String route, Alert alert) {
        Map<Alert, LongAdder> kinds = counts.get(route);
        return kinds == null ? 0 : kinds.get(alert).sum();
    }
}
