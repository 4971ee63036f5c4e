package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.connect.ledger.ClaimSql.Reclaim;
import io.hellogpt.once.connect.ledger.ClaimSql.Reclaimed;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a batch of attempts, or says why they are not to be executed. */
final class Claims {
    private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

    private final ClaimSql taking;
    private final SettleSql ending;
    private final String owner;
    private final Clock clock;

    Claims(ClaimSql taking, SettleSql ending, String owner, Clock clock) {
        this.taking = taking;
        this.ending = ending;
        this.owner = owner;
        this.clock = clock;
    }

    /** As {@link EffectLedger#claim}, in the caller's transaction. */
    List<Claim> claim(Connection connection, List<Ask> asks) throws SQLException {
        Map<String, Claim> claims = new HashMap<>();
        List<Ask> free = tombstone(connection, asks, claims);
        Set<String> inserted = taking.insert(connection, free);
        List<Ask> known = new ArrayList<>();
        for (Ask ask : free) {
            if (!inserted.contains(ask.effectId())) {
                known.add(ask);
            } else if (ask.probe()) {
                claims.put(ask.effectId(), untraced(connection, ask));
            } else {
                claims.put(ask.effectId(), new Claim.Execute(ask, 1, false, ask.body()));
            }
        }
        if (!known.isEmpty()) {
            judge(connection, known, claims);
        }
        return asks.stream().map(ask -> claims.get(ask.effectId())).toList();
    }

    /** A probe of an effect the ledger does not know. */
    private Claim untraced(Connection connection, Ask ask) throws SQLException {
        Optional<Verdict> unknown = ProbeRules.withoutRow(ask);
        if (unknown.isEmpty()) {
            return new Claim.Execute(ask, 1, true, ask.body());
        }
        Settlement settlement = new Settlement(ask, 1, unknown.get(), now());
        ending.settle(connection, List.of(settlement));
        return new Claim.Answer(ask, settlement.verdict().outcome(ask, settlement.at()));
    }

    /** Returns what may be claimed now; a compensation whose forward effect is still in a call is answered instead. */
    private List<Ask> tombstone(Connection connection, List<Ask> asks, Map<String, Claim> claims) throws SQLException {
        List<Ask> undos = asks.stream().filter(ask -> ask.effect().id().undo()).toList();
        if (undos.isEmpty()) {
            return asks;
        }
        Map<String, Duration> busy = TombstoneSql.tombstone(connection, owner, undos);
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
        Map<String, LedgerRow> rows = taking.find(connection, known);
        List<Reclaim> takeOver = new ArrayList<>();
        Map<String, Verdict> concluded = new HashMap<>();
        for (Ask ask : known) {
            LedgerRow row = rows.get(ask.effectId());
            if (row == null) {
                throw new SQLException("effect " + ask.effectId() + " vanished from the ledger between two statements");
            }
            switch (ClaimRules.judge(row, ask, owner, now())) {
                case Finding.Run run -> takeOver.add(new Reclaim(ask, run.inDoubt(), run.freshKey(), !ask.probe()));
                case Finding.Conclude conclude -> {
                    takeOver.add(new Reclaim(ask, true, false, false));
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
        Map<String, Reclaimed> reclaimed = taking.reclaim(connection, rows);
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
            ending.settle(connection, settlements);
        }
    }

    /** Outcomes are written with milliseconds, so they are made with them: stored and published ones are then equal. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
