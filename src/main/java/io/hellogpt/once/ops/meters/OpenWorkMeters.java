package io.hellogpt.once.ops.meters;

import io.hellogpt.once.core.Hold;
import io.hellogpt.once.core.RequestState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open work of this instance's partitions as gauges, counted anew every few seconds on a thread of its own. The sum over the
 * instances is the system's. Values are those of the last count that succeeded; {@code once.scan.age} says how old they are.
 */
public final class OpenWorkMeters implements MeterBinder, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenWorkMeters.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final Supplier<OpenWork> source;
    private final Clock clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().name("once-open-work").daemon(true).unstarted(task));
    private volatile OpenWork last = OpenWork.NONE;
    private volatile long countedAt;

    /** @param source counts; may throw while partitions move, the last figures stand then */
    public OpenWorkMeters(Supplier<OpenWork> source, Clock clock) {
        this.source = source;
        this.clock = clock;
        this.countedAt = clock.millis();
    }

    /** Begins to count. */
    public void start() {
        thread.scheduleWithFixedDelay(this::count, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The last count. */
    public OpenWork last() {
        return last;
    }

    void count() {
        try {
            last = source.get();
            countedAt = clock.millis();
        } catch (RuntimeException moving) {
            // Partitions move or restore; the next count comes in a moment, and the age of this one shows.
            LOG.debug("event=open_work_not_counted cause=\"{}\"", moving.toString());
        }
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        for (RequestState.Status status : RequestState.Status.values()) {
            if (status != RequestState.Status.COMMITTED && status != RequestState.Status.FAILED) {
                gauge("once.open", "Unfinished requests", work -> work.open().getOrDefault(status, 0))
                        .tag("state", lower(status))
                        .register(meters);
            }
        }
        for (Hold.Reason reason : Hold.Reason.values()) {
            gauge(
                            "once.held",
                            "Requests that wait for a person",
                            work -> work.held().getOrDefault(reason, 0))
                    .tag("reason", lower(reason))
                    .register(meters);
        }
        seconds("once.pending.oldest.age", "Longest wait of a request for a model call it is due for", this::pendingAge)
                .register(meters);
        gauge(
                        "once.outbox.waiting",
                        "Effects issued, without an outcome",
                        work -> work.outbox().waiting())
                .register(meters);
        seconds(
                        "once.outbox.average.age",
                        "Average age of effects without an outcome",
                        work -> work.outbox().averageAge())
                .register(meters);
        seconds(
                        "once.outbox.oldest.age",
                        "Age of the oldest effect without an outcome",
                        work -> work.outbox().oldestAge())
                .register(meters);
        gauge("once.effects.unknown", "Effects whose outcome cannot be known", OpenWork::unknown)
                .register(meters);
        gauge("once.early.responses", "Answers stashed before their request", OpenWork::earlyResponses)
                .register(meters);
        Gauge.builder("once.scan.age", this, self -> (self.clock.millis() - self.countedAt) / 1000.0)
                .baseUnit("seconds")
                .description("How old the figures about open work are")
                .register(meters);
    }

    private Duration pendingAge(OpenWork work) {
        return work.pendingOldest()
                .map(due -> Duration.between(due, clock.instant()))
                .filter(age -> !age.isNegative())
                .orElse(Duration.ZERO);
    }

    private Gauge.Builder<OpenWorkMeters> seconds(String name, String what, Function<OpenWork, Duration> age) {
        return gauge(name, what, work -> age.apply(work).toMillis() / 1000.0).baseUnit("seconds");
    }

    private Gauge.Builder<OpenWorkMeters> gauge(String name, String what, ToDoubleFunction<OpenWork> read) {
        return Gauge.builder(name, this, self -> read.applyAsDouble(self.last)).description(what);
    }

    static String lower(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
