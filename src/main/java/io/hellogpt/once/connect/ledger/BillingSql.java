package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Billing rows, many by one statement. */
final class BillingSql {
    private static final String INSERT = """
            INSERT INTO once_ledger.billing (request_id, turn, effect_id, snapshot_sha256, provider, model, input_tokens,
                output_tokens, cost_nanos, currency, price_table, received_at)
            SELECT * FROM unnest(?::text[], ?::integer[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[],
                ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::timestamptz[])
                AS t (request_id, turn, effect_id, snapshot_sha256, provider, model, input_tokens, output_tokens, cost_nanos,
                    currency, price_table, received_at)
            ORDER BY request_id, received_at, turn
            ON CONFLICT DO NOTHING
            """;
    private static final String BILLED = """
            SELECT b.effect_id FROM once_ledger.billing b
            JOIN unnest(?::text[], ?::text[], ?::timestamptz[]) AS t (effect_id, snapshot_sha256, received_at)
                ON b.effect_id = t.effect_id AND b.received_at = t.received_at AND b.snapshot_sha256 = t.snapshot_sha256
            """;

    private BillingSql() {}

    /** Adds one row for each entry whose turn has none in its life of the request_id; returns a verdict for each effect_id. */
    static Map<String, Verdict> insert(Connection connection, List<BillingEntry> entries) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            new SqlArrays<>(statement, 1, entries)
                    .text(e -> e.ask().effect().id().requestId().value())
                    .column("integer", e -> e.ask().effect().id().turn())
                    .text(e -> e.ask().effectId())
                    .text(BillingEntry::snapshotSha256)
                    .text(e -> e.provider().orElse(null))
                    .text(BillingEntry::model)
                    .column("bigint", BillingEntry::inputTokens)
                    .column("bigint", BillingEntry::outputTokens)
                    .column("bigint", BillingEntry::costNanos)
                    .text(BillingEntry::currency)
                    .text(e -> e.priceTable().orElse(null))
                    .column("timestamptz", e -> e.ask().life());
            int inserted = statement.executeUpdate();
            return verdicts(connection, entries, inserted == entries.size());
        }
    }

    private static Map<String, Verdict> verdicts(Connection connection, List<BillingEntry> entries, boolean all)
            throws SQLException {
        Set<String> billed = all ? Set.of() : billed(connection, entries);
        Map<String, Verdict> verdicts = new HashMap<>();
        for (BillingEntry entry : entries) {
            String effectId = entry.ask().effectId();
            Verdict verdict = all || billed.contains(effectId)
                    ? Verdict.certain(Result.SUCCEEDED, "billed")
                    : Verdict.certain(
                            Result.FAILED, "this turn of the request was billed before, by another effect or snapshot");
            verdicts.put(effectId, verdict);
        }
        return verdicts;
    }

    private static Set<String> billed(Connection connection, List<BillingEntry> entries) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(BILLED)) {
            new SqlArrays<>(statement, 1, entries)
                    .text(e -> e.ask().effectId())
                    .text(BillingEntry::snapshotSha256)
                    .column("timestamptz", e -> e.ask().life());
            Set<String> billed = new HashSet<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    billed.add(result.getString(1));
                }
            }
            return billed;
        }
    }
}
