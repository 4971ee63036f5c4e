package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.connect.Databases;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Two owners of leases on one real database. */
final class LedgerRig implements AutoCloseable {
    static final Recovery KEYED =
            new Recovery.Keyed("Idempotency-Key", true, Duration.ofHours(1), Duration.ofMinutes(1));
    static final Recovery OPAQUE = new Recovery.Opaque(false);
    static final Recovery PROBEABLE = new Recovery.Probeable("http://h/{effect_id}", Duration.ZERO);
    static final Recovery LOCAL = new Recovery.Local();
    static final Instant AT = Instant.parse("2026-01-02T03:04:06.789Z");

    final String url = Databases.create();
    final EffectLedger ledger = ledger(url, "me");
    final EffectLedger other = ledger(url, "other");

    LedgerRig() throws SQLException {
        ledger.migrate();
    }

    static EffectLedger ledger(String url, String owner) {
        return new EffectLedger(Databases.settings(url), owner, Duration.ofMinutes(1), Clock.systemUTC());
    }

    /** Every lease runs out. */
    void expireLeases() {
        Databases.execute(url, "UPDATE once_ledger.effect SET lease_until = now() - interval '1 second'");
    }

    long count(String from) {
        return Databases.number(url, "SELECT count(*) FROM once_ledger." + from);
    }

    static Settlement settlement(Claim.Execute claim, Verdict verdict) {
        return new Settlement(claim.ask(), claim.token(), verdict, AT);
    }

    Result billed(Effect effect) throws SQLException {
        return ledger.bill(List.of(Ask.of(effect, LOCAL))).getFirst().outcome().result();
    }

    static Claim.Execute claimed(EffectLedger by, Effect effect, Recovery recovery) throws SQLException {
        return (Claim.Execute) by.claim(List.of(Ask.of(effect, recovery))).getFirst();
    }

    static EffectOutcome answered(EffectLedger by, Effect effect, Recovery recovery) throws SQLException {
        return ((Claim.Answer) by.claim(List.of(Ask.of(effect, recovery))).getFirst()).outcome();
    }

    @Override
    public void close() {
        ledger.close();
        other.close();
    }
}
