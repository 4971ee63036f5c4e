package io.hellogpt.once.connect;

import io.hellogpt.once.connect.Dispatcher.Executed;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Ask;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.EffectLedger;
import io.hellogpt.once.connect.ledger.Settlement;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.SourcePosition;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a polled batch to published outcomes: claim, execute, settle, publish. Each step is done for the whole batch, and only
 * a delivery whose outcome the brokers have counts as done.
 *
 * <p>For one thread. After an exception the same deliveries are given again: what was done is skipped, what was executed and
 * not stored is stored from memory, and nothing is executed twice on that account.
 */
final class EffectPipeline implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EffectPipeline.class);

    private final Map<String, Route> routes;
    private final EffectLedger ledger;
    private final Dispatcher dispatcher;
    private final OutcomePublisher outcomes;
    private final Clock clock;
    private final List<Settlement> unsettled = new ArrayList<>();
    private final Set<SourcePosition> done = new HashSet<>();

    EffectPipeline(
            Map<String, Route> routes,
            EffectLedger ledger,
            Dispatcher dispatcher,
            OutcomePublisher outcomes,
            Clock clock) {
        this.routes = Map.copyOf(routes);
        this.ledger = ledger;
        this.dispatcher = dispatcher;
        this.outcomes = outcomes;
        this.clock = clock;
    }

    /**
     * Carries {@code deliveries} out as far as {@code budget} allows.
     *
     * @param budget no call begins after it
     * @return how many are left: not sent in time, or taken over by another task; they must be given again
     * @throws SQLException when the ledger cannot be reached; all must be given again
     * @throws org.apache.kafka.connect.errors.RetriableException when outcomes cannot be published; all must be given again
     */
    int process(List<Delivery> deliveries, Duration budget) throws SQLException {
        long deadline = System.nanoTime() + budget.toNanos();
        settleFromMemory();
        List<Delivery> open =
                deliveries.stream().filter(d -> !done.contains(d.position())).toList();
        for (List<Delivery> wave : waves(open)) {
            if (System.nanoTime() - deadline < 0) {
                process(wave, deadline);
            }
        }
        int left = (int)
                deliveries.stream().filter(d -> !done.contains(d.position())).count();
        if (left == 0) {
            done.clear();
        }
        return left;
    }

    /** The ledger takes an effect once per statement, and a compensation after its forward effect. */
    private static List<List<Delivery>> waves(List<Delivery> deliveries) {
        Map<EffectId, Integer> seen = new HashMap<>();
        List<List<Delivery>> waves = new ArrayList<>();
        for (Delivery delivery : deliveries) {
            int wave = seen.merge(delivery.effect().id().forward(), 1, Integer::sum) - 1;
            if (wave == waves.size()) {
                waves.add(new ArrayList<>());
            }
            waves.get(wave).add(delivery);
        }
        return waves;
    }

    private void process(List<Delivery> wave, long deadline) throws SQLException {
        Map<EffectId, EffectOutcome> known = new HashMap<>();
        List<Ask> unrouted = new ArrayList<>();
        List<Ask> local = new ArrayList<>();
        List<Ask> remote = new ArrayList<>();
        for (Delivery delivery : wave) {
            Effect effect = delivery.effect();
            Route route = routes.get(effect.route());
            if (route == null) {
                unrouted.add(Ask.of(effect, new Recovery.Opaque(false)));
            } else if (route.recovery() instanceof Recovery.Local) {
                local.add(Ask.of(effect, route.recovery()));
            } else {
                remote.add(Ask.of(effect, route.recovery()));
            }
        }
        refuse(unrouted, known);
        ledger.bill(local).forEach(answer -> known.put(answer.ask().effect().id(), answer.outcome()));
        execute(remote, deadline, known);
        outcomes.publish(List.copyOf(known.values()));
        wave.stream()
                .filter(delivery -> known.containsKey(delivery.effect().id()))
                .forEach(delivery -> done.add(delivery.position()));
    }

    private void refuse(List<Ask> unrouted, Map<EffectId, EffectOutcome> known) throws SQLException {
        for (Ask ask : unrouted) {
            LOG.error(
                    "effect for an unknown route, not executed effect_id={} attempt={}; add the route to the connector's"
                            + " once.routes, then retry the effect",
                    ask.effectId(),
                    ask.effect().attempt());
        }
        String why = "the connector has no route of this name; configured are " + routes.keySet();
        ledger.malformed(unrouted, why)
                .forEach(answer -> known.put(answer.ask().effect().id(), answer.outcome()));
    }

    private void execute(List<Ask> asks, long deadline, Map<EffectId, EffectOutcome> known) throws SQLException {
        List<Claim.Execute> claimed = new ArrayList<>();
        for (Claim claim : ledger.claim(asks)) {
            switch (claim) {
                case Claim.Answer answer -> known.put(answer.ask().effect().id(), answer.outcome());
                case Claim.Execute execute -> claimed.add(execute);
            }
        }
        List<Executed> executed = new ArrayList<>();
        try {
            dispatcher.run(claimed, deadline, executed);
        } finally {
            remember(executed);
        }
        ledger.release(executed.stream()
                .filter(result -> result.verdict().isEmpty())
                .map(Executed::claim)
                .toList());
        known.putAll(settleFromMemory());
    }

    private void remember(List<Executed> executed) {
        Instant now = now();
        synchronized (executed) {
            for (Executed result : executed) {
                result.verdict().ifPresent(verdict -> {
                    Claim.Execute claim = result.claim();
                    unsettled.add(new Settlement(claim.ask(), claim.token(), verdict, now));
                    log(claim, verdict);
                });
            }
        }
    }

    /** Returns the outcomes stored by it; those of claims taken over are not ours to publish. */
    private Map<EffectId, EffectOutcome> settleFromMemory() throws SQLException {
        List<Settlement> late = ledger.settle(List.copyOf(unsettled));
        Map<EffectId, EffectOutcome> stored = new HashMap<>();
        for (Settlement settlement : unsettled) {
            if (!late.contains(settlement)) {
                Ask ask = settlement.ask();
                stored.put(ask.effect().id(), settlement.verdict().outcome(ask, settlement.at()));
            }
        }
        unsettled.clear();
        return stored;
    }

    private static void log(Claim.Execute claim, Verdict verdict) {
        Effect effect = claim.ask().effect();
        Object[] values = {
            effect.id(), effect.id().requestId(), effect.attempt(), effect.route(), verdict.result(), verdict.detail()
        };
        String line = "effect executed effect_id={} request_id={} attempt={} route={} result={} detail=\"{}\"";
        switch (verdict.result()) {
            case SUCCEEDED, AWAITING_CALLBACK -> LOG.debug(line, values);
            case RETRYABLE -> LOG.info(line, values);
            case FAILED, UNKNOWN, MALFORMED -> LOG.warn(line, values);
        }
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public void close() {
        dispatcher.close();
        outcomes.close();
        storeLast()
                .ifPresent(e -> LOG.error(
                        "ledger unreachable at close; {} outcomes are lost to it and are recovered by their class",
                        unsettled.size(),
                        e));
        ledger.close();
    }

    private Optional<SQLException> storeLast() {
        try {
            settleFromMemory();
            return Optional.empty();
        } catch (SQLException e) {
            return Optional.of(e);
        }
    }
}
