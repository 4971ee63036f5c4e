package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.TaskSettings;
import io.hellogpt.once.connect.ledger.EffectLedger;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes rows past their retention from time to time, a bounded number with each transaction. */
final class LedgerPurge implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerPurge.class);
    private static final int BATCH = 1_000;

    private final ScheduledExecutorService clockwork = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("once-purge").factory());
    private final EffectLedger ledger;
    private final Duration retention;

    private LedgerPurge(EffectLedger ledger, Duration retention) {
        this.ledger = ledger;
        this.retention = retention;
    }

    static LedgerPurge start(EffectLedger ledger, TaskSettings.Purge settings) {
        LedgerPurge purge = new LedgerPurge(ledger, settings.retention());
        long millis = settings.interval().toMillis();
        if (millis > 0) {
            purge.clockwork.scheduleWithFixedDelay(purge::run, millis, millis, TimeUnit.MILLISECONDS);
        }
        return purge;
    }

    private void run() {
        try {
            int removed = 0;
            int last = BATCH;
            while (last == BATCH && !clockwork.isShutdown()) {
                last = ledger.purge(retention, BATCH);
                removed += last;
            }
            if (removed > 0) {
                LOG.info("effects past their retention removed from the ledger count={}", removed);
            }
        } catch (SQLException e) {
            LOG.warn("ledger could not be purged, tried again at the next interval sql_state={}", e.getSQLState(), e);
        }
    }

    @Override
    public void close() {
        clockwork.shutdown();
    }
}
