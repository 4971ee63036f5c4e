package io.hellogpt.once.model;

import java.util.concurrent.atomic.LongAdder;

/** What the gateway counts. */
final class GatewayCounters {
    final LongAdder started = new LongAdder();
    final LongAdder attached = new LongAdder();
    final LongAdder answered = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder cancelled = new LongAdder();

    GatewayStatus.Counters read(long journalRetries) {
        return new GatewayStatus.Counters(
                started.sum(), attached.sum(), answered.sum(), failed.sum(), cancelled.sum(), journalRetries);
    }
}
