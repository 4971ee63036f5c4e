package io.hellogpt.once.connect.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hellogpt.once.connect.config.LedgerSettings;
import io.hellogpt.once.connect.ledger.LedgerSql.Reclaim;
import io.hellogpt.once.connect.ledger.LedgerSql.Reclaimed;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger of effects. Every method is one transaction, or one for each attempt when the database refuses the data of one of
 * them; when it throws, the same call may be made again, however much of it has happened.
 *
 * <p>Safe for several threads, tasks and workers. One instance stands for one owner of leases: it must not be asked to claim
 * while outcomes of its own sends are not yet {@link #settle settled}.
 */
public final class EffectLedger implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EffectLedger.class);

    private final HikariDataSource pool;
    private final LedgerSql sql;
    private final String owner;
    private final Clock clock;

    /**
     * Opens no connection yet: a ledger that is down at start delays the task and does not fail it.
     *
     * @param owner a name no other task or run has
     * @param lease how long a claim holds against others
     * @param clock for the times of outcomes made here
     */
    public EffectLedger(LedgerSettings settings, String owner, Duration lease, Clock clock) {
        this.pool = new HikariDataSource(pool(settings));
        this.sql = new LedgerSql(owner, lease);
        this.owner = owner;
        this.clock = clock;
    }

    private static HikariConfig pool(LedgerSettings settings) {
        // A data source of our own instead of DriverManager, which does not see drivers in a plugin's class loader.
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(settings.jdbcUrl());
        source.setUser(settings.user());
        source.setPassword(settings.password());
        source.setApplicationName("hellogpt-once-connect");
        source.setConnectTimeout((int) Math.max(1, settings.connectTimeout().toSeconds()));
        source.setSocketTimeout((int) Math.max(1, settings.statementTimeout().toSeconds()));
        source.setTcpKeepAlive(true);
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setPoolName("once-ledger");
        config.setAutoCommit(false);
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(settings.connectTimeout().toMillis());
        config.setValidationTimeout(Math.min(5_000, settings.connectTimeout().toMillis()));
        config.setInitializationFailTimeout(-1);
        return config;
    }

    /** Brings the ledger's schema up to date. */
    public void migrate() throws SQLException {
        inTransaction(connection -> {
            Migrations.apply(connection);
            return null;
        });
    }

    /**
     * Claims attempts, or says why they are not to be executed. A compensation first tombstones its forward effect.
     *
     * @param asks each effect_id at most once, and no compensation together with its forward effect
     * @return one claim for each ask, in their order
     */
    public List<Claim> claim(List<Ask> asks) throws SQLException {
        return Isolation.run(asks, batch -> inTransaction(connection -> claim(connection, batch)), this::unstorable);
    }

    /**
     * Stores outcomes of claims.
     *
     * @return those that came too late: another task has taken the claim over, and its outcome counts
     */
    public List<Settlement> settle(List<Settlement> settlements) throws SQLException {
        if (settlements.isEmpty()) {
            return List.of();
        }
        Set<String> fenced = inTransaction(connection -> sql.settle(connection, settlements));
        List<Settlement> late = settlements.stream()
                .filter(settlement -> fenced.contains(settlement.ask().effectId()))
                .toList();
        late.forEach(settlement -> LOG.error(
                "lease lost: another task took the effect over while this one was in its call; outcome kept as fenced, not"
                        + " acted on effect_id={} attempt={} token={} result={}",
                settlement.ask().effectId(),
                settlement.ask().effect().attempt(),
                settlement.token(),
                settlement.verdict().result()));
        return late;
    }

    /** Gives claims back that were certainly not sent; whoever claims next executes them. */
    public void release(List<Claim.Execute> claims) throws SQLException {
        if (!claims.isEmpty()) {
            inTransaction(connection -> {
                sql.release(connection, claims);
                return null;
            });
        }
    }

    /**
     * Carries billing effects out: effects, billing rows and outcomes of the whole batch in one transaction.
     *
     * @param asks as for {@link #claim}
     * @return one answer for each ask
     */
    public List<Claim.Answer> bill(List<Ask> asks) throws SQLException {
        return concluded(asks, EffectLedger::bill);
    }

    /**
     * Answers attempts nobody can execute with MALFORMED and keeps that: when they are delivered again, after what was wrong with
     * the configuration has been put right, the answer is the same and only a later attempt is executed.
     *
     * @param asks as for {@link #claim}, with the recovery that promises least
     * @param why for people
     * @return one answer for each ask; one that was begun before is answered with what is known of that
     */
    public List<Claim.Answer> malformed(List<Ask> asks, String why) throws SQLException {
        Verdict verdict = Verdict.certain(Result.MALFORMED, why);
        return concluded(
                asks,
                (connection, claimed) -> claimed.stream().collect(Collectors.toMap(Ask::effectId, ask -> verdict)));
    }

    private static Map<String, Verdict> bill(Connection connection, List<Ask> claimed) throws SQLException {
        Map<String, Verdict> verdicts = new HashMap<>();
        List<BillingEntry> entries = new ArrayList<>();
        for (Ask ask : claimed) {
            try {
                entries.add(BillingEntry.read(ask));
            } catch (IllegalArgumentException e) {
                verdicts.put(ask.effectId(), Verdict.certain(Result.MALFORMED, "billing payload: " + e.getMessage()));
            }
        }
        if (!entries.isEmpty()) {
            verdicts.putAll(BillingSql.insert(connection, entries));
        }
        return verdicts;
    }

    /** What attempts come to without leaving the database, by effect_id. */
    private interface Verdicts {
        Map<String, Verdict> of(Connection connection, List<Ask> claimed) throws SQLException;
    }

    private List<Claim.Answer> concluded(List<Ask> asks, Verdicts verdicts) throws SQLException {
        return Isolation.run(
                asks, batch -> inTransaction(connection -> conclude(connection, batch, verdicts)), this::unstorable);
    }

    /** Claims and settles in one transaction. */
    private List<Claim.Answer> conclude(Connection connection, List<Ask> asks, Verdicts verdicts) throws SQLException {
        List<Claim.Answer> answers = new ArrayList<>();
        List<Claim.Execute> claimed = new ArrayList<>();
        for (Claim claim : claim(connection, asks)) {
            switch (claim) {
                case Claim.Answer answer -> answers.add(answer);
                case Claim.Execute execute -> claimed.add(execute);
            }
        }
        if (!claimed.isEmpty()) {
            Instant now = now();
            Map<String, Verdict> made = verdicts.of(
                    connection, claimed.stream().map(Claim.Execute::ask).toList());
            List<Settlement> settlements = claimed.stream()
                    .map(claim -> new Settlement(
                            claim.ask(), claim.token(), made.get(claim.ask().effectId()), now))
                    .toList();
            sql.settle(connection, settlements);
            settlements.forEach(s ->
                    answers.add(new Claim.Answer(s.ask(), s.verdict().outcome(s.ask(), now))));
        }
        return answers;
    }

    private List<Claim> claim(Connection connection, List<Ask> asks) throws SQLException {
        Map<String, Claim> claims = new HashMap<>();
        List<Ask> free = tombstone(connection, asks, claims);
        Set<String> inserted = sql.insert(connection, free);
        List<Ask> known = new ArrayList<>();
        for (Ask ask : free) {
            if (inserted.contains(ask.effectId())) {
                claims.put(ask.effectId(), new Claim.Execute(ask, 1, false, ask.body()));
            } else {
                known.add(ask);
            }
        }
        if (!known.isEmpty()) {
            judge(connection, known, claims);
        }
        return asks.stream().map(ask -> claims.get(ask.effectId())).toList();
    }

    /** Returns what may be claimed now; a compensation whose forward effect is still in a call is answered instead. */
    private List<Ask> tombstone(Connection connection, List<Ask> asks, Map<String, Claim> claims) throws SQLException {
        List<Ask> undos = asks.stream().filter(ask -> ask.effect().id().undo()).toList();
        if (undos.isEmpty()) {
            return asks;
        }
        Map<String, Duration> busy = sql.tombstone(connection, undos);
        for (Ask undo : undos) {
            Duration left = busy.getOrDefault(undo.effect().id().forward().toString(), Duration.ZERO);
            if (left.isPositive()) {
                Verdict wait = Verdict.retry(
                        "the effect to undo may still be in its call; nothing was executed", Optional.of(left), false);
                claims.put(undo.effectId(), new Claim.Answer(undo, wait.outcome(undo, now())));
            }
        }
        return asks.stream().filter(ask -> !claims.containsKey(ask.effectId())).toList();
    }

    private void judge(Connection connection, List<Ask> known, Map<String, Claim> claims) throws SQLException {
        Map<String, LedgerRow> rows = sql.find(connection, known);
        List<Reclaim> takeOver = new ArrayList<>();
        Map<String, Verdict> concluded = new HashMap<>();
        for (Ask ask : known) {
            LedgerRow row = rows.get(ask.effectId());
            if (row == null) {
                throw new SQLException("effect " + ask.effectId() + " vanished from the ledger between two statements");
            }
            switch (ClaimRules.judge(row, ask, owner, now())) {
                case Finding.Run run -> takeOver.add(new Reclaim(ask, run.inDoubt(), run.freshKey()));
                case Finding.Conclude conclude -> {
                    takeOver.add(new Reclaim(ask, true, false));
                    concluded.put(ask.effectId(), conclude.verdict());
                }
                case Finding.Reply reply ->
                    claims.put(
                            ask.effectId(),
                            new Claim.Answer(ask, reply.verdict().outcome(ask, reply.at())));
                case Finding.Refuse refuse -> claims.put(ask.effectId(), refused(ask, refuse.verdict()));
            }
        }
        takeOver(connection, takeOver, concluded, claims);
    }

    private Claim.Answer refused(Ask ask, Verdict verdict) {
        LOG.error(
                "effect refused effect_id={} attempt={} route={} result={} reason=\"{}\"",
                ask.effectId(),
                ask.effect().attempt(),
                ask.effect().route(),
                verdict.result(),
                verdict.detail());
        return new Claim.Answer(ask, verdict.outcome(ask, now()));
    }

    private void takeOver(
            Connection connection, List<Reclaim> rows, Map<String, Verdict> concluded, Map<String, Claim> claims)
            throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        Map<String, Reclaimed> reclaimed = sql.reclaim(connection, rows);
        List<Settlement> settlements = new ArrayList<>();
        for (Reclaim row : rows) {
            Ask ask = row.ask();
            Reclaimed mine = reclaimed.get(ask.effectId());
            Verdict verdict = concluded.get(ask.effectId());
            if (verdict == null) {
                claims.put(ask.effectId(), new Claim.Execute(ask, mine.token(), row.inDoubt(), mine.body()));
            } else {
                Settlement settlement = new Settlement(ask, mine.token(), verdict, now());
                settlements.add(settlement);
                claims.put(ask.effectId(), new Claim.Answer(ask, verdict.outcome(ask, settlement.at())));
                LOG.warn(
                        "effect in doubt, not executed effect_id={} attempt={} route={} reason=\"{}\"; resolve it with an"
                                + " operator command once its receiver has been asked",
                        ask.effectId(),
                        ask.effect().attempt(),
                        ask.effect().route(),
                        verdict.detail());
            }
        }
        if (!settlements.isEmpty()) {
            sql.settle(connection, settlements);
        }
    }

    /** Outcomes are written with milliseconds, so they are made with them: stored and published ones are then equal. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private Claim.Answer unstorable(Ask ask, SQLException e) {
        // Without the database's message, which quotes the row.
        LOG.error(
                "effect cannot be stored, answered MALFORMED, not executed effect_id={} attempt={} sql_state={}; see who"
                        + " wrote the request and what its policy made of it",
                ask.effectId(),
                ask.effect().attempt(),
                e.getSQLState());
        Verdict verdict = Verdict.certain(
                Result.MALFORMED,
                "the ledger cannot store it (SQL state " + e.getSQLState() + "); nothing was executed");
        return new Claim.Answer(ask, verdict.outcome(ask, now()));
    }

    private interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    private <T> T inTransaction(Work<T> work) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            try {
                T result = work.in(connection);
                connection.commit();
                return result;
            } catch (SQLException e) {
                rollBack(connection, e);
                throw e;
            }
        }
    }

    private static void rollBack(Connection connection, SQLException because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
