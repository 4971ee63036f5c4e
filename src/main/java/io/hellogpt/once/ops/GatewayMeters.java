package io.hellogpt.once.ops;

import io.hellogpt.once.model.Gateway;
import io.hellogpt.once.model.GatewayStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** The gateway's meters, all named {@code once.gateway.*}. */
record GatewayMeters(Gateway gateway) implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry meters) {
        gauge(meters, "slots", GatewayStatus::slots);
        gauge(meters, "slots.taken", GatewayStatus::slotsTaken);
        gauge(meters, "calls.running", GatewayStatus::running);
        gauge(meters, "calls.awaiting.journal", GatewayStatus::awaitingJournal);
        gauge(meters, "dispatching", status -> status.dispatching() ? 1 : 0);
        counter(meters, "calls.started", status -> status.counters().started());
        counter(meters, "calls.attached", status -> status.counters().attached());
        counter(meters, "calls.answered", status -> status.counters().answered());
        counter(meters, "calls.failed", status -> status.counters().failed());
        counter(meters, "calls.cancelled", status -> status.counters().cancelled());
        counter(meters, "journal.retries", status -> status.counters().journalRetries());
    }

    private void gauge(MeterRegistry meters, String name, ToDoubleFunction<GatewayStatus> value) {
        Gauge.builder("once.gateway." + name, gateway, g -> value.applyAsDouble(g.status()))
                .register(meters);
    }

    private void counter(MeterRegistry meters, String name, ToDoubleFunction<GatewayStatus> value) {
        FunctionCounter.builder("once.gateway." + name, gateway, g -> value.applyAsDouble(g.status()))
                .register(meters);
    }
}
