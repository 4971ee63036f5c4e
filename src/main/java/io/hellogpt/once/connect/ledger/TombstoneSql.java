package io.hellogpt.once.connect.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The statement that marks the forward effects of compensations, whether the ledger has seen them or not. */
final class TombstoneSql {
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

    private TombstoneSql() {}

    /** Tombstones the forward effects of {@code undos}; returns how long each may still be in another task's call. */
    static Map<String, Duration> tombstone(Connection connection, String owner, List<Ask> undos) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TOMBSTONE)) {
            new SqlArrays<>(statement, 1, undos)
                    .text(ask -> ask.effect().id().forward().toString())
                    .text(ask -> ask.effect().id().requestId().value())
                    .column("timestamptz", Ask::life);
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
}
