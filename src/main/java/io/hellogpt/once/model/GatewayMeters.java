package io.hellogpt.once.model;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The gateway's status as meters, {@code once.gateway.*}. */
public record GatewayMeters(Gateway gateway) implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry meters) {
        gauge(meters, "once.gateway.slots", "Calls that may run at one time", GatewayStatus::slots);
        gauge(meters, "once.gateway.slots.taken", "Slots reserved or in use", GatewayStatus::slotsTaken);
        gauge(meters, "once.gateway.running", "Calls without a result", GatewayStatus::running);
        gauge(
                meters,
                "once.gateway.awaiting.journal",
                "Results the journal has not acknowledged",
                GatewayStatus::awaitingJournal);
        gauge(
                meters,
                "once.gateway.dispatching",
                "1 when calls are started, 0 when dispatch is paused or the process stops",
                status -> status.dispatching() ? 1 : 0);
        counter(
                meters,
                "once.gateway.started",
                "Calls made",
                status -> status.counters().started());
        counter(
                meters,
                "once.gateway.attached",
                "Starts that found their call",
                status -> status.counters().attached());
        counter(
                meters,
                "once.gateway.cancelled",
                "Calls given up",
                status -> status.counters().cancelled());
        counter(
                meters,
                "once.gateway.journal.retries",
                "Journal writes repeated",
                status -> status.counters().journalRetries());
        for (Holdback why : Holdback.values()) {
            FunctionCounter.builder("once.gateway.held.back", gateway, source -> source.heldBack(why))
                    .description("Times a waiting request asked for a slot and got none, by the limit that was reached")
                    .tag("limit", why.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
    }

    private void gauge(MeterRegistry meters, String name, String what, ToDoubleFunction<GatewayStatus> read) {
        Gauge.builder(name, gateway, source -> read.applyAsDouble(source.status()))
                .description(what)
                .register(meters);
    }

    private void counter(MeterRegistry meters, String name, String what, ToDoubleFunction<GatewayStatus> read) {
        FunctionCounter.builder(name, gateway, source -> read.applyAsDouble(source.status()))
                .description(what)
                .register(meters);
    }
}
