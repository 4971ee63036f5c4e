package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.connect.config.LedgerSettings;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger of effects. Every method is one transaction, or one for each attempt when the database refuses the data of one of
 * them; when it throws, the same call may be made again, however much of it has happened.
 *
 * <p>Safe for several threads, tasks and workers. One instance stands for one owner of leases: it must not be asked to claim
 * an effect whose last send of its own is not yet {@link #settle settled}.
 */
public final class EffectLedger implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EffectLedger.class);

    private final LedgerDatabase database;
    private final SettleSql ending;
    private final Claims claims;

    /**
     * Opens no connection yet: a ledger that is down at start delays the task and does not fail it.
     *
     * @param owner a name no other task or run has
     * @param lease how long a claim holds against others
     * @param clock for the times of outcomes made here
     */
    public EffectLedger(LedgerSettings settings, String owner, Duration lease, Clock clock) {
        this.database = new LedgerDatabase(settings);
        this.ending = new SettleSql(owner);
        this.claims = new Claims(new ClaimSql(owner, lease), ending, owner, clock);
    }

    /** Brings the ledger's schema up to date. */
    public void migrate() throws SQLException {
        database.inTransaction(connection -> {
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
        return Isolation.run(
                asks, batch -> database.inTransaction(connection -> claims.claim(connection, batch)), this::unstorable);
    }

    /**
     * What became of a batch of outcomes.
     *
     * @param late came after another task had taken the claim over, and that one's outcome counts
     * @param refused the database refuses for what is in them, even without the receiver's own words; not stored
     */
    public record Settled(List<Settlement> stored, List<Settlement> late, List<Settlement> refused) {}

    /** Stores outcomes of claims; one the database refuses does not hold up the others. */
    public Settled settle(List<Settlement> settlements) throws SQLException {
        List<Settlement> stored = new ArrayList<>();
        List<Settlement> late = new ArrayList<>();
        List<Settlement> refused = new ArrayList<>();
        Isolation.run(settlements, batch -> settleOne(batch, stored, late), (settlement, e) -> {
            Settlement plain = plain(settlement, e);
            if (plain.equals(settlement)) {
                refused.add(settlement);
            } else {
                Settled again = settle(List.of(plain));
                stored.addAll(again.stored());
                late.addAll(again.late());
                refused.addAll(again.refused());
            }
            return settlement;
        });
        return new Settled(stored, late, refused);
    }

    private List<Settlement> settleOne(List<Settlement> batch, List<Settlement> stored, List<Settlement> late)
            throws SQLException {
        Set<String> fenced = database.inTransaction(connection -> ending.settle(connection, batch));
        for (Settlement settlement : batch) {
            if (fenced.contains(settlement.ask().effectId())) {
                late.add(settlement);
                LOG.error(
                        "lease lost: another task took the effect over while this one was in its call; outcome kept as"
                                + " fenced, not acted on effect_id={} attempt={} token={} result={}",
                        settlement.ask().effectId(),
                        settlement.ask().effect().attempt(),
                        settlement.token(),
                        settlement.verdict().result());
            } else {
                stored.add(settlement);
            }
        }
        return batch;
    }

    /** The same outcome without words that came from outside. */
    private static Settlement plain(Settlement settlement, SQLException e) {
        Verdict verdict = settlement.verdict();
        Verdict plain = new Verdict(
                verdict.result(),
                "the ledger could not store the receiver's words (SQL state " + e.getSQLState() + ")",
                Optional.empty(),
                verdict.retryAfter(),
                verdict.inDoubt());
        return new Settlement(settlement.ask(), settlement.token(), plain, settlement.at());
    }

    /** Gives claims back that were certainly not sent; whoever claims next executes them. */
    public void release(List<Claim.Execute> claims) throws SQLException {
        if (!claims.isEmpty()) {
            database.inTransaction(connection -> {
                ending.release(connection, claims);
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
                asks,
                batch -> database.inTransaction(connection -> conclude(connection, batch, verdicts)),
                this::unstorable);
    }

    /** Claims and settles in one transaction. */
    private List<Claim.Answer> conclude(Connection connection, List<Ask> asks, Verdicts verdicts) throws SQLException {
        List<Claim.Answer> answers = new ArrayList<>();
        List<Claim.Execute> claimed = new ArrayList<>();
        for (Claim claim : claims.claim(connection, asks)) {
            switch (claim) {
                case Claim.Answer answer -> answers.add(answer);
                case Claim.Execute execute -> claimed.add(execute);
            }
        }
        if (!claimed.isEmpty()) {
            Instant now = claims.now();
            Map<String, Verdict> made = verdicts.of(
                    connection, claimed.stream().map(Claim.Execute::ask).toList());
            List<Settlement> settlements = claimed.stream()
                    .map(claim -> new Settlement(
                            claim.ask(), claim.token(), made.get(claim.ask().effectId()), now))
                    .toList();
            ending.settle(connection, settlements);
            settlements.forEach(s ->
                    answers.add(new Claim.Answer(s.ask(), s.verdict().outcome(s.ask(), now))));
        }
        return answers;
    }

    /**
     * Forgets effects that ended longer ago than {@code retention}, with their attempts. What is open or unknown stays.
     *
     * @param most of one transaction
     * @return how many; fewer than {@code most} when none are left
     */
    public int purge(Duration retention, int most) throws SQLException {
        return database.inTransaction(connection -> PurgeSql.purge(connection, retention, most));
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
        return new Claim.Answer(ask, verdict.outcome(ask, claims.now()));
    }

    @Override
    public void close() {
        database.close();
    }
}
