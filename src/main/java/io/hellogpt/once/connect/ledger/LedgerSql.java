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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The ledger's statements. Each takes a whole batch as arrays, so that the round trips of a poll do not grow with its size.
 * All ages are by the database's clock: workers' clocks differ.
 *
 * <p>An effect_id is the same again when its request_id is accepted once more after its retention, so a row is found by
 * effect_id and the time its request was received.
 */
final class LedgerSql {
    private static final String INSERT = """
            INSERT INTO once_ledger.effect (effect_id, request_id, route, class, fingerprint, attempt, request_body, received_at,
                status, lease_token, lease_owner, lease_until, first_sent_at, last_sent_at)
            SELECT t.effect_id, t.request_id, t.route, t.class, t.fingerprint, t.attempt, t.body, t.received_at,
                'STARTED', 1, ?, clock_timestamp() + ? * interval '1 millisecond', clock_timestamp(), clock_timestamp()
            FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::bytea[],
                    ?::timestamptz[])
                AS t (effect_id, request_id, route, class, fingerprint, attempt, body, received_at)
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
                last_sent_at = clock_timestamp(), updated_at = clock_timestamp()
            FROM unnest(?::text[], ?::integer[], ?::text[], ?::boolean[], ?::boolean[], ?::timestamptz[])
                AS t (effect_id, attempt, class, in_doubt, fresh, received_at)
            WHERE e.effect_id = t.effect_id AND e.received_at = t.received_at
            RETURNING e.effect_id, e.lease_token, e.request_body
            """;
    private static final String SETTLE = """
            WITH t AS (
                SELECT * FROM unnest(?::text[], ?::integer[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[],
                    ?::boolean[], ?::bigint[], ?::timestamptz[])
                    AS u (effect_id, attempt, token, result, detail, reference, retry_after_ms, in_doubt, at_ms,
                        received_at)),
            settled AS (
                UPDATE once_ledger.effect e
                SET status = 'SETTLED', result = t.result, detail = t.detail, reference = t.reference,
                    retry_after_ms = t.retry_after_ms, in_doubt = t.in_doubt, lease_until = NULL,
                    outcome_at = 'epoch'::timestamptz + t.at_ms * interval '1 millisecond', updated_at = clock_timestamp()
                FROM t WHERE e.effect_id = t.effect_id AND e.received_at = t.received_at AND e.lease_token = t.token
                    AND e.status = 'STARTED'
                RETURNING e.effect_id)
            INSERT INTO once_ledger.effect_attempt (effect_id, received_at, attempt, lease_token, lease_owner, fenced, result, detail,
                reference, retry_after_ms, outcome_at)
            SELECT t.effect_id, t.received_at, t.attempt, t.token, ?, s.effect_id IS NULL, t.result, t.detail, t.reference, t.retry_after_ms,
                'epoch'::timestamptz + t.at_ms * interval '1 millisecond'
            FROM t LEFT JOIN settled s ON s.effect_id = t.effect_id
            ON CONFLICT (effect_id, received_at, attempt, lease_token) DO UPDATE SET fenced = effect_attempt.fenced
            RETURNING effect_id, fenced
            """;
    private static final String RELEASE = """
            UPDATE once_ledger.effect e SET status = 'RELEASED', lease_until = NULL, updated_at = clock_timestamp()
            FROM unnest(?::text[], ?::bigint[], ?::timestamptz[]) AS t (effect_id, token, received_at)
            WHERE e.effect_id = t.effect_id AND e.received_at = t.received_at AND e.lease_token = t.token
                AND e.status = 'STARTED'
            """;
    private static final String TOMBSTONE = """
            INSERT INTO once_ledger.effect AS e (effect_id, received_at, request_id, route, class, status, attempt, lease_token,
                tombstoned_at)
            SELECT t.effect_id, t.received_at, t.request_id, '', '', 'TOMBSTONED', 0, 0, clock_timestamp()
            FROM unnest(?::text[], ?::text[], ?::timestamptz[]) AS t (effect_id, request_id, received_at)
            ORDER BY t.effect_id
            ON CONFLICT (effect_id, received_at) DO UPDATE
                SET tombstoned_at = coalesce(e.tombstoned_at, excluded.tombstoned_at), updated_at = clock_timestamp()
            RETURNING e.effect_id,
                (CASE WHEN e.status = 'STARTED' AND e.lease_owner <> ?
                    THEN coalesce(extract(epoch FROM e.lease_until - clock_timestamp()) * 1000, 0) ELSE 0 END)::bigint AS busy_ms
            """;

    private final String owner;
    private final long leaseMillis;

    LedgerSql(String owner, Duration lease) {
        this.owner = owner;
        this.leaseMillis = lease.toMillis();
    }

    /** Claims what the ledger has never seen; returns the effect_ids claimed. */
    Set<String> insert(Connection connection, List<Ask> asks) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setString(1, owner);
            statement.setLong(2, leaseMillis);
            array(statement, 3, "text", asks, Ask::effectId);
            array(
                    statement,
                    4,
                    "text",
                    asks,
                    ask -> ask.effect().id().requestId().value());
            array(statement, 5, "text", asks, ask -> ask.effect().route());
            array(
                    statement,
                    6,
                    "text",
                    asks,
                    ask -> ask.recovery().effectClass().name());
            array(statement, 7, "text", asks, Ask::fingerprint);
            array(statement, 8, "integer", asks, ask -> ask.effect().attempt());
            array(statement, 9, "bytea", asks, Ask::body);
            array(statement, 10, "timestamptz", asks, Ask::life);
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
            array(statement, 1, "text", asks, Ask::effectId);
            array(statement, 2, "timestamptz", asks, Ask::life);
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

    /** One row to be taken over. */
    record Reclaim(Ask ask, boolean inDoubt, boolean freshKey) {}

    /** A row taken over. */
    record Reclaimed(long token, byte[] body) {}

    /** Takes rows over, locked by {@link #find} in the same transaction; by effect_id. */
    Map<String, Reclaimed> reclaim(Connection connection, List<Reclaim> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RECLAIM)) {
            statement.setString(1, owner);
            statement.setLong(2, leaseMillis);
            array(statement, 3, "text", rows, row -> row.ask().effectId());
            array(statement, 4, "integer", rows, row -> row.ask().effect().attempt());
            array(
                    statement,
                    5,
                    "text",
                    rows,
                    row -> row.ask().recovery().effectClass().name());
            array(statement, 6, "boolean", rows, Reclaim::inDoubt);
            array(statement, 7, "boolean", rows, Reclaim::freshKey);
            array(statement, 8, "timestamptz", rows, row -> row.ask().life());
            Map<String, Reclaimed> reclaimed = new HashMap<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    reclaimed.put(result.getString(1), new Reclaimed(result.getLong(2), result.getBytes(3)));
                }
            }
            return reclaimed;
        }
    }

    /** Stores outcomes; returns the effect_ids whose claim had been taken over. */
    Set<String> settle(Connection connection, List<Settlement> settlements) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SETTLE)) {
            array(statement, 1, "text", settlements, s -> s.ask().effectId());
            array(statement, 2, "integer", settlements, s -> s.ask().effect().attempt());
            array(statement, 3, "bigint", settlements, Settlement::token);
            array(statement, 4, "text", settlements, s -> s.verdict().result().name());
            array(statement, 5, "text", settlements, s -> s.verdict().detail());
            array(
                    statement,
                    6,
                    "text",
                    settlements,
                    s -> s.verdict().reference().orElse(null));
            array(
                    statement,
                    7,
                    "bigint",
                    settlements,
                    s -> s.verdict().retryAfter().map(Duration::toMillis).orElse(null));
            array(statement, 8, "boolean", settlements, s -> s.verdict().inDoubt());
            array(statement, 9, "bigint", settlements, s -> s.at().toEpochMilli());
            array(statement, 10, "timestamptz", settlements, s -> s.ask().life());
            statement.setString(11, owner);
            Set<String> fenced = new HashSet<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    if (result.getBoolean(2)) {
                        fenced.add(result.getString(1));
                    }
                }
            }
            return fenced;
        }
    }

    /** Gives claims back that were certainly not sent. */
    void release(Connection connection, List<Claim.Execute> claims) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RELEASE)) {
            array(statement, 1, "text", claims, claim -> claim.ask().effectId());
            array(statement, 2, "bigint", claims, Claim.Execute::token);
            array(statement, 3, "timestamptz", claims, claim -> claim.ask().life());
            statement.executeUpdate();
        }
    }

    /** Tombstones the forward effects of compensations; returns how long each may still be in another task's call. */
    Map<String, Duration> tombstone(Connection connection, List<Ask> undos) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TOMBSTONE)) {
            array(
                    statement,
                    1,
                    "text",
                    undos,
                    ask -> ask.effect().id().forward().toString());
            array(
                    statement,
                    2,
                    "text",
                    undos,
                    ask -> ask.effect().id().requestId().value());
            array(statement, 3, "timestamptz", undos, Ask::life);
            statement.setString(4, owner);
            Map<String, Duration> busy = new HashMap<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    busy.put(result.getString(1), Duration.ofMillis(result.getLong(2)));
                }
            }
            return busy;
        }
    }

    /** Sets parameter {@code index} to one column of a batch. */
    static <T> void array(
            PreparedStatement statement, int index, String type, List<T> batch, Function<T, Object> column)
            throws SQLException {
        List<Object> values = new ArrayList<>(batch.size());
        batch.forEach(item -> values.add(column.apply(item)));
        // The driver takes byte arrays in an array of exactly their type only.
        Object[] elements = type.equals("bytea") ? values.toArray(new byte[0][]) : values.toArray();
        statement.setArray(index, statement.getConnection().createArrayOf(type, elements));
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
