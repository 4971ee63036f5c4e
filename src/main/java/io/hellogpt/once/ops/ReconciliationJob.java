package io.hellogpt.once.ops;

import io.hellogpt.once.api.RequestLookup;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.ops.verify.Evidence;
import io.hellogpt.once.ops.verify.KafkaEvidence;
import io.hellogpt.once.ops.verify.LedgerEvidence;
import io.hellogpt.once.ops.verify.Reconciler;
import io.hellogpt.once.ops.verify.Reconciler.Difference;
import io.hellogpt.once.topology.Topics;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles the partitions of this instance again and again, see {@link Reconciler}. A difference counts when two rounds in a row see
 * it: topics, stores and ledger cannot be read at one moment.
 */
final class ReconciliationJob implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReconciliationJob.class);

    /** Held in memory at some 2 KB each. More of them are sampled by their id, another part in each round. */
    private static final int MOST_REQUESTS = 20_000;

    /** A request writes at least this many lines of the audit log. */
    private static final int EVENTS_PER_REQUEST = 3;

    private static final int MOST_LINES = 20;

    private final OnceConfig config;
    private final Supplier<Set<Integer>> partitions;
    private final Function<RequestId, RequestLookup.Found> lookup;
    private final ReconciliationMeters meters;
    private final Clock clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().name("once-reconciliation").daemon(true).unstarted(task));
    private Set<Difference> suspected = Set.of();
    private int round;

    /** @param partitions those this instance is active for */
    ReconciliationJob(
            OnceConfig config,
            Supplier<Set<Integer>> partitions,
            Function<RequestId, RequestLookup.Found> lookup,
            ReconciliationMeters meters,
            Clock clock) {
        this.config = config;
        this.partitions = partitions;
        this.lookup = lookup;
        this.meters = meters;
        this.clock = clock;
    }

    void start() {
        long interval = config.duration(Settings.RECONCILE_INTERVAL).toMillis();
        thread.scheduleWithFixedDelay(this::run, interval, interval, TimeUnit.MILLISECONDS);
    }

    private void run() {
        try {
            round();
        } catch (KafkaException | SQLException unreachable) {
            meters.failed();
            LOG.warn(
                    "event=reconciliation_failed cause=\"{}\" detail=\"nothing was compared; it is tried again\"",
                    unreachable.toString());
        } catch (RuntimeException unforeseen) {
            meters.failed();
            LOG.error("event=reconciliation_failed detail=\"nothing was compared; it is tried again\"", unforeseen);
        }
    }

    /** @return the differences two rounds in a row have seen */
    List<Difference> round() throws SQLException {
        Instant now = clock.instant();
        Duration grace = config.duration(Settings.RECONCILE_GRACE);
        Instant since = now.minus(config.duration(Settings.RECONCILE_WINDOW)).minus(grace);
        Set<Integer> owned = partitions.get();
        KafkaEvidence.Window window = read(since, owned);
        Reconciler.Outcome outcome = Reconciler.compare(window, now.minus(grace), ledger(window), this::stored);
        Set<Difference> seen = new HashSet<>(outcome.differences());
        List<Difference> confirmed =
                outcome.differences().stream().filter(suspected::contains).toList();
        suspected = seen;
        meters.reconciled(outcome, confirmed, clock.instant());
        confirmed.stream()
                .limit(MOST_LINES)
                .forEach(one -> LOG.error(
                        "event=reconciliation_difference check={} request_id={} detail=\"{}\" remedy=\"once status {} tells"
                                + " what every topic says; once verify decides\"",
                        one.check(),
                        one.requestId(),
                        one.detail(),
                        one.requestId()));
        return confirmed;
    }

    private KafkaEvidence.Window read(Instant since, Set<Integer> owned) {
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            List<TopicPartition> events = reader.partitions(Topics.LIFECYCLE_EVENTS).stream()
                    .filter(partition -> owned.contains(partition.partition()))
                    .toList();
            long requests = reader.countSince(since, events) / EVENTS_PER_REQUEST;
            int parts = Math.toIntExact(requests / MOST_REQUESTS + 1);
            int part = round++ / 2 % parts;
            Predicate<String> sample = id -> Math.floorMod(id.hashCode(), parts) == part;
            return new KafkaEvidence(reader, RequestRules.decoder(config)).window(since, owned::contains, sample);
        }
    }

    private Optional<Evidence.Ledger> ledger(KafkaEvidence.Window window) throws SQLException {
        String url = config.text(Settings.RECONCILE_LEDGER_URL);
        return url.isEmpty()
                ? Optional.empty()
                : Optional.of(LedgerEvidence.read(url, config.ledgerLogin(), window.requestIds()));
    }

    private Reconciler.Stored stored(String id) {
        return switch (lookup.apply(new RequestId(id))) {
            case RequestLookup.Known known ->
                new Reconciler.Stored.Known(known.state().status());
            case RequestLookup.Unknown unknown -> new Reconciler.Stored.Unknown();
            case RequestLookup.Elsewhere moved -> new Reconciler.Stored.NotSaid();
            case RequestLookup.Unavailable moving -> new Reconciler.Stored.NotSaid();
        };
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
