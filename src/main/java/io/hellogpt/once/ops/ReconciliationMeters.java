package io.hellogpt.once.ops;

import io.hellogpt.once.ops.verify.Reconciler;
import io.hellogpt.once.ops.verify.Reconciler.Check;
import io.hellogpt.once.ops.verify.Reconciler.Difference;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** What the last reconciliation found. */
final class ReconciliationMeters {
    private record Last(Reconciler.Outcome outcome, List<Difference> confirmed) {
        private static final Last NONE = new Last(new Reconciler.Outcome(List.of(), 0, 0, 0), List.of());
    }

    private final Counter failures;
    private volatile Last last = Last.NONE;
    private volatile Instant at;

    ReconciliationMeters(MeterRegistry meters, Clock clock) {
        this.at = clock.instant();
        for (Check check : Check.values()) {
            Gauge.builder(
                            "once.reconciliation.differences",
                            this,
                            self -> self.last.confirmed().stream()
                                    .filter(one -> one.check() == check)
                                    .count())
                    .description("Requests of which topics, stores and ledger do not say the same; must be 0")
                    .tag("check", check.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
        Gauge.builder(
                        "once.reconciliation.requests",
                        this,
                        self -> self.last.outcome().requests())
                .description("Requests the last reconciliation compared")
                .register(meters);
        Gauge.builder(
                        "once.reconciliation.answers.cost",
                        this,
                        self -> self.last.outcome().answersNanos() / 1e9)
                .description("Cost of the answers the last reconciliation looked at, by their snapshots")
                .register(meters);
        Gauge.builder(
                        "once.reconciliation.billed",
                        this,
                        self -> self.last.outcome().billedNanos() / 1e9)
                .description("Cost of the same answers, by the ledger")
                .register(meters);
        Gauge.builder("once.reconciliation.age", this, self -> (clock.millis() - self.at.toEpochMilli()) / 1000.0)
                .baseUnit("seconds")
                .description("Since the last reconciliation that could be made")
                .register(meters);
        this.failures = Counter.builder("once.reconciliation.failures")
                .description("Reconciliations that could not be made")
                .register(meters);
    }

    void reconciled(Reconciler.Outcome outcome, List<Difference> confirmed, Instant when) {
        last = new Last(outcome, confirmed);
        at = when;
    }

    void failed() {
        failures.increment();
    }
}
