package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.connect.ledger.LedgerDesk.Attempt;
import io.hellogpt.once.connect.ledger.LedgerDesk.Line;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What people ask the ledger, and tell it. Never reads the bytes that were sent: they may hold anything. */
final class DeskSql {
    private static final String LINE = """
            SELECT effect_id, received_at, request_id, route, class, status, attempt, lease_token, lease_owner, lease_until,
                in_doubt, tombstoned_at, result, detail, reference, deadline, outcome_at, created_at, updated_at,
                coalesce(octet_length(request_body), 0) AS body_bytes, coalesce(fingerprint, '') AS fingerprint
            FROM once_ledger.effect
            """;
    private static final String LIST = LINE + """
            WHERE (?::text IS NULL OR coalesce(result, status) = ? OR status = ?) AND (?::text IS NULL OR route = ?)
                AND (?::text IS NULL OR request_id = ?)
            ORDER BY updated_at DESC LIMIT ?
            """;
    private static final String SHOW = LINE + "WHERE effect_id = ? ORDER BY received_at DESC";
    private static final String ATTEMPTS = """
            SELECT attempt, lease_token, lease_owner, fenced, result, detail, reference, outcome_at, actor
            FROM once_ledger.effect_attempt WHERE effect_id = ? AND received_at = ? ORDER BY outcome_at, lease_token
            """;
    private static final String LOCK = LINE + "WHERE effect_id = ? ORDER BY received_at DESC LIMIT 1 FOR UPDATE";
    private static final String RESOLVE = """
            UPDATE once_ledger.effect
            SET status = 'SETTLED', result = ?, detail = ?, in_doubt = false, deadline = NULL, retry_after_ms = NULL,
                lease_token = lease_token + 1, lease_until = NULL, outcome_at = date_trunc('milliseconds', clock_timestamp()),
                updated_at = clock_timestamp()
            WHERE effect_id = ? AND received_at = ?
            """;
    private static final String RECORD = """
            INSERT INTO once_ledger.effect_attempt (effect_id, received_at, attempt, lease_token, lease_owner, fenced, result,
                detail, outcome_at, actor)
            SELECT effect_id, received_at, attempt, lease_token, 'a person', false, result, ?, outcome_at, ?
            FROM once_ledger.effect WHERE effect_id = ? AND received_at = ?
            """;

    private DeskSql() {}

    static List<Line> list(Connection connection, LedgerDesk.Filter filter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LIST)) {
            String state = filter.state().orElse(null);
            String route = filter.route().orElse(null);
            String request = filter.requestId().orElse(null);
            int at = 1;
            for (String value : new String[] {state, state, state, route, route, request, request}) {
                statement.setString(at++, value);
            }
            statement.setInt(at, filter.most());
            return lines(statement);
        }
    }

    static List<Line> show(Connection connection, EffectId id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SHOW)) {
            statement.setString(1, id.toString());
            return lines(statement);
        }
    }

    /** The row of the effect's latest life, locked. */
    static Optional<Line> lock(Connection connection, EffectId id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
            statement.setString(1, id.toString());
            return lines(statement).stream().findFirst();
        }
    }

    static void resolve(Connection connection, Line line, Result result, String detail, String actor)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RESOLVE)) {
            statement.setString(1, result.name());
            statement.setString(2, detail);
            statement.setString(3, line.effectId());
            statement.setObject(4, time(line.receivedAt()));
            statement.executeUpdate();
        }
        try (PreparedStatement statement = connection.prepareStatement(RECORD)) {
            statement.setString(1, detail);
            statement.setString(2, actor);
            statement.setString(3, line.effectId());
            statement.setObject(4, time(line.receivedAt()));
            statement.executeUpdate();
        }
    }

    static List<Attempt> attempts(Connection connection, Line line) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ATTEMPTS)) {
            statement.setString(1, line.effectId());
            statement.setObject(2, time(line.receivedAt()));
            List<Attempt> attempts = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    attempts.add(new Attempt(
                            row.getInt("attempt"),
                            row.getLong("lease_token"),
                            row.getBoolean("fenced"),
                            Result.valueOf(row.getString("result")),
                            row.getString("detail"),
                            Optional.ofNullable(row.getString("reference")),
                            instant(row, "outcome_at").orElseThrow(),
                            Optional.ofNullable(row.getString("actor")).orElse(row.getString("lease_owner"))));
                }
            }
            return attempts;
        }
    }

    private static List<Line> lines(PreparedStatement statement) throws SQLException {
        List<Line> lines = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                lines.add(line(row));
            }
        }
        return lines;
    }

    private static Line line(ResultSet row) throws SQLException {
        return new Line(
                row.getString("effect_id"),
                instant(row, "received_at").orElseThrow(),
                row.getString("route"),
                row.getString("class"),
                row.getString("status"),
                Optional.ofNullable(row.getString("result")).map(Result::valueOf),
                row.getInt("attempt"),
                row.getLong("lease_token"),
                instant(row, "lease_until"),
                row.getBoolean("in_doubt"),
                row.getTimestamp("tombstoned_at") != null,
                Optional.ofNullable(row.getString("detail")).orElse(""),
                Optional.ofNullable(row.getString("reference")),
                instant(row, "deadline"),
                instant(row, "updated_at").orElseThrow(),
                row.getInt("body_bytes"),
                row.getString("fingerprint"));
    }

    private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
