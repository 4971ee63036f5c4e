package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.config.TaskSettings;
import io.hellogpt.once.connect.ledger.Ask;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.EffectLedger;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From records to published outcomes, in stages that each take what there is as one batch: claim, call, settle, publish; and
 * for effects that do not leave the database conclude, publish. A record is done when the brokers have its outcome.
 *
 * <p>What is down is waited for, and nothing is called twice on that account: what was called and is not stored is stored from
 * memory. {@link #accept}, {@link #release} and {@link #close} are for one thread, the task's.
 */
final class EffectPipeline implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EffectPipeline.class);
    private static final int MOST = 1_000;
    private static final Duration LAST_STEP = Duration.ofSeconds(2);

    private final Map<String, Route> routes;
    private final TaskSettings settings;
    private final EffectLedger ledger;
    private final Dispatcher dispatcher;
    private final OutcomePublisher outcomes;
    private final TaskMeters meters;
    private final Backlog backlog;
    private final Settler settler;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Stage> taking;
    private final List<Stage> ending;
    private boolean migrated;

    EffectPipeline(
            Map<String, Route> routes,
            TaskSettings settings,
            EffectLedger ledger,
            Dispatcher dispatcher,
            OutcomePublisher outcomes,
            Clock clock) {
        this.routes = Map.copyOf(routes);
        this.settings = settings;
        this.ledger = ledger;
        this.dispatcher = dispatcher;
        this.outcomes = outcomes;
        this.meters = new TaskMeters(routes.keySet());
        this.backlog = new Backlog(routes, settings);
        this.settler = new Settler(
                ledger,
                backlog,
                meters,
                clock,
                (work, stored) -> publish(work, stored.verdict().outcome(stored.ask(), stored.at())));
        this.taking = List.of(stage("claim", this::claim), stage("conclude", this::conclude));
        this.ending = List.of(stage("settle", settler::step), stage("publish", outcomes::step));
    }

    private Stage stage(String name, Stage.Step step) {
        return new Stage(name, step, broken -> failure.compareAndSet(null, broken));
    }

    /** Begins to work; what is accepted before waits. */
    EffectPipeline start() {
        taking.forEach(Stage::start);
        ending.forEach(Stage::start);
        return this;
    }

    void showOn(TaskMeters.Board board) {
        meters.showOn(board, backlog, dispatcher);
    }

    TaskMeters meters() {
        return meters;
    }

    /** The defect that ended a stage, if one has. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** Takes a delivery and returns at once; {@code ticket} is done when the brokers have the outcome. */
    void accept(Delivery delivery, PartitionOffsets.Ticket ticket) {
        Effect effect = delivery.effect();
        Recovery recovery = Optional.ofNullable(routes.get(effect.route()))
                .map(Route::recovery)
                .orElseGet(() -> new Recovery.Opaque(false));
        backlog.add(new Work(delivery, Ask.of(effect, recovery)), ticket);
    }

    /** Partitions that should not be read on for now, out of {@code assigned}. */
    Set<TopicPartition> full(Set<TopicPartition> assigned) {
        return backlog.full(assigned);
    }

    /** Which of the {@code paused} partitions should be read on. */
    Set<TopicPartition> relieved(Set<TopicPartition> paused) {
        return backlog.relieved(paused);
    }

    /**
     * Gives partitions up: forgets what is not begun and waits a bounded time for the rest, so that whoever reads them next
     * finds outcomes and not calls. What takes longer goes on to its end and is stored, or fenced.
     */
    void release(Collection<TopicPartition> partitions) {
        backlog.drop(partitions);
        try {
            if (!backlog.awaitEnd(
                    Set.copyOf(partitions), settings.drainTimeout().toNanos())) {
                LOG.warn(
                        "partitions given up with effects still being worked on partitions={} after_ms={}; their next reader"
                                + " waits for them or recovers them by their class",
                        partitions,
                        settings.drainTimeout().toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** When the task starts, or as soon as the database is there; what is read until then waits. */
    private void migrate() throws SQLException {
        synchronized (ledger) {
            if (!migrated) {
                ledger.migrate();
                migrated = true;
            }
        }
    }

    private void claim() throws SQLException, InterruptedException {
        migrate();
        List<Work> works = backlog.takeToCall(MOST);
        long latest = System.nanoTime() + settings.sendTimeout().toNanos();
        List<Claim> claims = inLedger(works, ledger::claim);
        for (int i = 0; i < works.size(); i++) {
            Work work = works.get(i);
            switch (claims.get(i)) {
                case Claim.Answer answer -> {
                    backlog.callEnded(work);
                    publish(work, answer.outcome());
                }
                case Claim.Execute execute -> {
                    meters.attempt(work.effect().route());
                    dispatcher.call(execute, latest, verdict -> ended(work, execute, verdict));
                }
            }
        }
    }

    private void ended(Work work, Claim.Execute claim, Optional<Verdict> verdict) {
        backlog.callEnded(work);
        verdict.ifPresent(known -> log(work.effect(), known));
        settler.put(work, claim, verdict);
    }

    private void conclude() throws SQLException, InterruptedException {
        migrate();
        List<Work> works = backlog.takeToConclude(MOST);
        List<Work> unrouted = works.stream()
                .filter(work -> !routes.containsKey(work.effect().route()))
                .toList();
        List<Work> local = works.stream()
                .filter(work -> routes.containsKey(work.effect().route()))
                .toList();
        answer(local, ledger::bill);
        answer(unrouted, this::refuse);
    }

    private List<Claim.Answer> refuse(List<Ask> unrouted) throws SQLException {
        unrouted.forEach(ask -> LOG.error(
                "effect for an unknown route, not executed effect_id={} attempt={}; add the route to the connector's"
                        + " once.routes, then retry the effect",
                ask.effectId(),
                ask.effect().attempt()));
        return ledger.malformed(unrouted, "the connector has no route of this name; configured are " + routes.keySet());
    }

    private void answer(List<Work> works, Ledger<Claim.Answer> ledger) throws SQLException {
        Map<String, Claim.Answer> answers = new HashMap<>();
        inLedger(works, ledger).forEach(answer -> answers.put(key(answer.ask()), answer));
        for (Work work : works) {
            meters.attempt(work.effect().route());
            publish(work, answers.get(key(work.ask())).outcome());
        }
    }

    private static String key(Ask ask) {
        return ask.effectId() + " " + ask.effect().requestReceivedAt();
    }

    private interface Ledger<T> {
        List<T> of(List<Ask> asks) throws SQLException;
    }

    /** Puts the works back when the ledger cannot be used. */
    private <T> List<T> inLedger(List<Work> works, Ledger<T> ledger) throws SQLException {
        if (works.isEmpty()) {
            return List.of();
        }
        try {
            return ledger.of(works.stream().map(Work::ask).toList());
        } catch (SQLException e) {
            backlog.putBack(works);
            throw e;
        }
    }

    private void publish(Work work, EffectOutcome outcome) {
        outcomes.publish(outcome, () -> {
            meters.outcome(work.effect().route(), outcome.result());
            backlog.finish(work);
        });
    }

    private static void log(Effect effect, Verdict verdict) {
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

    /** Begins nothing more, waits a bounded time for what is out, and cuts the rest off. */
    @Override
    public void close() {
        taking.forEach(Stage::stop);
        backlog.close();
        release(backlog.partitions());
        dispatcher.close();
        taking.forEach(stage -> stage.join(LAST_STEP));
        ending.forEach(Stage::stop);
        ending.forEach(stage -> stage.join(LAST_STEP));
        outcomes.close();
        if (settler.open() > 0) {
            LOG.error(
                    "ledger unreachable at close, outcomes lost to it count={}; their effects are recovered by their class",
                    settler.open());
        }
        ledger.close();
    }
}
