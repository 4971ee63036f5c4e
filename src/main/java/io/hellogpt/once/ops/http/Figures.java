package io.hellogpt.once.ops.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.Health;
import io.hellogpt.once.core.RequestState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What an instance says of itself to people: its health and the same meters as everybody else is given, few enough to look at. Counts are
 * those since it started; open work is that of the partitions it has now.
 */
final class Figures implements Supplier<ObjectNode> {
    private final MeterRegistry meters;
    private final Supplier<Health> health;
    private final Clock clock;
    private final Instant since;

    Figures(MeterRegistry meters, Supplier<Health> health, Clock clock) {
        this.meters = meters;
        this.health = health;
        this.clock = clock;
        this.since = clock.instant();
    }

    @Override
    public ObjectNode get() {
        Health now = health.get();
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("since", since.toString());
        view.put("at", clock.instant().toString());
        view.put("state", now.state());
        view.put("ready", now.ready());
        now.reasons().forEach(view.putArray("reasons")::add);
        view.put("gateway", String.valueOf(now.details().getOrDefault("gateway", "STARTING")));
        figures(view.putObject("figures"), now);
        return view;
    }

    private void figures(ObjectNode figures, Health now) {
        ObjectNode requests = figures.putObject("requests");
        for (String disposition : new String[] {"accepted", "duplicate", "conflicting", "rejected"}) {
            requests.put(disposition, count("once.requests", "disposition", disposition));
        }
        ObjectNode endings = figures.putObject("endings");
        endings.put("committed", count("once.endings", "result", "committed"));
        endings.put("failed", count("once.endings", "result", "failed"));
        ObjectNode open = figures.putObject("open");
        for (RequestState.Status status : RequestState.Status.values()) {
            if (status != RequestState.Status.COMMITTED && status != RequestState.Status.FAILED) {
                String name = status.name().toLowerCase(Locale.ROOT);
                open.put(name, (long) gauge("once.open", "state", name));
            }
        }
        figures.put("pending_oldest_age_seconds", gauge("once.pending.oldest.age"));
        figures.putObject("model_calls")
                .put("running", detail(now, "model_calls_running"))
                .put("slots", detail(now, "model_call_slots"));
        figures.putObject("outbox")
                .put("waiting", (long) gauge("once.outbox.waiting"))
                .put("oldest_age_seconds", gauge("once.outbox.oldest.age"));
        figures.put("effects_unknown", (long) gauge("once.effects.unknown"));
        figures.put("counted_age_seconds", gauge("once.scan.age"));
        latency(figures.putObject("latency"));
    }

    private static long detail(Health now, String name) {
        return now.details().get(name) instanceof Number number ? number.longValue() : 0;
    }

    private long count(String name, String tag, String value) {
        return (long) meters.find(name).tag(tag, value).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private double gauge(String name, String... tags) {
        return meters.find(name).tags(tags).gauges().stream()
                .mapToDouble(Gauge::value)
                .filter(Double::isFinite)
                .sum();
    }

    /** By stage, how many took up to so many seconds, and how many there were. */
    private void latency(ObjectNode latency) {
        for (Timer timer : meters.find("once.latency").timers()) {
            ObjectNode stage = latency.putObject(timer.getId().getTag("stage"));
            stage.put("count", timer.count());
            ObjectNode upTo = stage.putObject("up_to_seconds");
            for (CountAtBucket bucket : timer.takeSnapshot().histogramCounts()) {
                double bound = bucket.bucket(TimeUnit.SECONDS);
                if (Double.isFinite(bound) && bound < Long.MAX_VALUE / 1e9) {
                    upTo.put(Double.toString(bound), (long) bucket.count());
                }
            }
        }
    }
}
