package io.hellogpt.once.model;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What the gateway counts. */
final class GatewayCounters {
    final LongAdder started = new LongAdder();
    final LongAdder attached = new LongAdder();
    final LongAdder answered = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder cancelled = new LongAdder();

    private final Map<Holdback, LongAdder> heldBack = new EnumMap<>(Holdback.class);

    GatewayCounters() {
        for (Holdback why : Holdback.values()) {
            heldBack.put(why, new LongAdder());
        }
    }

    void heldBack(Holdback why) {
        heldBack.get(why).increment();
    }

    long heldBackSoFar(Holdback why) {
        return heldBack.get(why).sum();
    }

    GatewayStatus.Counters read(long journalRetries) {
        return new GatewayStatus.Counters(
                started.sum(), attached.sum(), answered.sum(), failed.sum(), cancelled.sum(), journalRetries);
    }
}
