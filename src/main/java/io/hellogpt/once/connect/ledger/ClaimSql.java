package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.connect.ledger.LedgerRow.Lease;
import io.hellogpt.once.connect.ledger.LedgerRow.Sent;
import io.hellogpt.once.connect.ledger.LedgerRow.Status;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The statements that take effects. Each takes a whole batch as arrays, so that the round trips of a batch do not grow with its
 * size. All ages are by the database's clock: workers' clocks differ.
 *
 * <p>An effect_id is the same again when its request_id is accepted once more after its retention, so a row is found by
 * effect_id and the time its request was received.
 */
final class ClaimSql {
    private static final String INSERT = """
            INSERT INTO once_ledger.effect (effect_id, request_id, route, class, fingerprint, attempt, request_body, received_at,
                in_doubt, status, lease_token, lease_owner, lease_until, first_sent_at, last_sent_at)
            SELECT t.effect_id, t.request_id, t.route, t.class, t.fingerprint, t.attempt, t.body, t.received_at,
                t.in_doubt, 'STARTED', 1, ?, clock_timestamp() + ? * interval '1 millisecond', clock_timestamp(), clock_timestamp()
            FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::bytea[],
                    ?::timestamptz[], ?::boolean[])
                AS t (effect_id, request_id, route, class, fingerprint, attempt, body, received_at, in_doubt)
            ORDER BY t.effect_id
            ON CONFLICT (effect_id, received_at) DO NOTHING
            RETURNING effect_id
            """;
    private static final String FIND = """
            SELECT e.effect_id, fingerprint, status, attempt, lease_token, coalesce(lease_owner, '') AS lease_owner, in_doubt,
                coalesce(extract(epoch FROM lease_until - clock_timestamp()) * 1000, 0)::bigint AS lease_left,
                coalesce(extract(epoch FROM clock_timestamp() - first_sent_at) * 1000, 0)::bigint AS since_first,
                coalesce(extract(epoch FROM clock_timestamp() - last_sent_at) * 1000, 0)::bigint AS since_last,
                tombstoned_at IS NOT NULL AS tombstoned, result, detail, reference, retry_after_ms,
                coalesce(extract(epoch FROM outcome_at) * 1000, 0)::bigint AS outcome_at
            FROM once_ledger.effect e
            JOIN unnest(?::text[], ?::timestamptz[]) AS t (effect_id, received_at)
                ON e.effect_id = t.effect_id AND e.received_at = t.received_at
            ORDER BY e.effect_id FOR UPDATE OF e
            """;
    private static final String RECLAIM = """
            UPDATE once_ledger.effect e
            SET status = 'STARTED', attempt = t.attempt, class = t.class, in_doubt = t.in_doubt,
                lease_token = e.lease_token + 1, lease_owner = ?, lease_until = clock_timestamp() + ? * interval '1 millisecond',
                first_sent_at = CASE WHEN t.fresh THEN clock_timestamp() ELSE e.first_sent_at END,
                last_sent_at = CASE WHEN t.sends THEN clock_timestamp() ELSE e.last_sent_at END, updated_at = clock_timestamp()
            FROM unnest(?::text[], ?::integer[], ?::text[], ?::boolean[], ?::boolean[], ?::boolean[],
                    ?::timestamptz[])
                AS t (effect_id, attempt, class, in_doubt, fresh, sends, received_at)
            WHERE e.effect_id = t.effect_id AND e.received_at = t.received_at
            RETURNING e.effect_id, e.lease_token, e.request_body
            """;

    private final String owner;
    private final long leaseMillis;

    ClaimSql(String owner, Duration lease) {
        this.owner = owner;
        this.leaseMillis = lease.toMillis();
    }

    /**
     * Claims what the ledger has never seen; returns the effect_ids claimed. What is only asked about was sent before the ledger
     * knew of it, or may have been, so that is in doubt from the start.
     */
    Set<String> insert(Connection connection, List<Ask> asks) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setString(1, owner);
            statement.setLong(2, leaseMillis);
            new SqlArrays<>(statement, 3, asks)
                    .text(Ask::effectId)
                    .text(ask -> ask.effect().id().requestId().value())
                    .text(ask -> ask.effect().route())
                    .text(ask -> ask.recovery().effectClass().name())
                    .text(Ask::fingerprint)
                    .column("integer", ask -> ask.effect().attempt())
                    .column("bytea", Ask::body)
                    .column("timestamptz", Ask::life)
                    .column("boolean", Ask::probe);
            Set<String> inserted = new HashSet<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    inserted.add(result.getString(1));
                }
            }
            return inserted;
        }
    }

    /** Reads and locks rows, by effect_id. */
    Map<String, LedgerRow> find(Connection connection, List<Ask> asks) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            new SqlArrays<>(statement, 1, asks).text(Ask::effectId).column("timestamptz", Ask::life);
            Map<String, LedgerRow> rows = new HashMap<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    LedgerRow row = row(result);
                    rows.put(row.effectId(), row);
                }
            }
            return rows;
        }
    }

    /**
     * One row to be taken over.
     *
     * @param sends the claim is for sending it; an outcome is stored, or the receiver asked, without
     */
    record Reclaim(Ask ask, boolean inDoubt, boolean freshKey, boolean sends) {}

    /** A row taken over. */
    record Reclaimed(long token, byte[] body) {}

    /** Takes rows over, locked by {@link #find} in the same transaction; by effect_id. */
    Map<String, Reclaimed> reclaim(Connection connection, List<Reclaim> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RECLAIM)) {
            statement.setString(1, owner);
            statement.setLong(2, leaseMillis);
            new SqlArrays<>(statement, 3, rows)
                    .text(row -> row.ask().effectId())
                    .column("integer", row -> row.ask().effect().attempt())
                    .text(row -> row.ask().recovery().effectClass().name())
                    .column("boolean", Reclaim::inDoubt)
                    .column("boolean", Reclaim::freshKey)
                    .column("boolean", Reclaim::sends)
                    .column("timestamptz", row -> row.ask().life());
            Map<String, Reclaimed> reclaimed = new HashMap<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    reclaimed.put(result.getString(1), new Reclaimed(result.getLong(2), result.getBytes(3)));
                }
            }
            return reclaimed;
        }
    }

    private static LedgerRow row(ResultSet result) throws SQLException {
        boolean inDoubt = result.getBoolean("in_doubt");
        return new LedgerRow(
                result.getString("effect_id"),
                Optional.ofNullable(result.getString("fingerprint")),
                Status.valueOf(result.getString("status")),
                result.getInt("attempt"),
                new Lease(
                        result.getLong("lease_token"),
                        result.getString("lease_owner"),
                        Duration.ofMillis(result.getLong("lease_left"))),
                inDoubt,
                new Sent(
                        Duration.ofMillis(result.getLong("since_first")),
                        Duration.ofMillis(result.getLong("since_last"))),
                result.getBoolean("tombstoned"),
                verdict(result, inDoubt),
                Instant.ofEpochMilli(result.getLong("outcome_at")));
    }

    private static Optional<Verdict> verdict(ResultSet result, boolean inDoubt) throws SQLException {
        String name = result.getString("result");
        if (name == null) {
            return Optional.empty();
        }
        long retryAfter = result.getLong("retry_after_ms");
        Optional<Duration> wait = result.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis(retryAfter));
        return Optional.of(new Verdict(
                Result.valueOf(name),
                result.getString("detail"),
                Optional.ofNullable(result.getString("reference")),
                wait,
                inDoubt));
    }
}
