package io.hellogpt.once.connect.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** The statement that forgets effects that ended long ago, with their attempts. Billing stays: it is the books. */
final class PurgeSql {
    /**
     * What is open stays: a claim that is out or was given back, an outcome that is unknown or may hide an effect. A callback
     * that is awaited is not open any more a retention after its deadline: either it came, which the application knows, or the
     * application has asked since, and then the row says something else.
     */
    private static final String PURGE = """
            WITH old AS (
                SELECT effect_id, received_at FROM once_ledger.effect
                WHERE status IN ('SETTLED', 'TOMBSTONED') AND updated_at < clock_timestamp() - ? * interval '1 millisecond'
                    AND (status = 'TOMBSTONED' OR result IN ('SUCCEEDED', 'FAILED', 'MALFORMED')
                        OR (result = 'RETRYABLE' AND NOT in_doubt)
                        OR (result = 'AWAITING_CALLBACK' AND deadline < clock_timestamp() - ? * interval '1 millisecond'))
                ORDER BY updated_at LIMIT ? FOR UPDATE SKIP LOCKED),
            attempts AS (
                DELETE FROM once_ledger.effect_attempt a USING old
                WHERE a.effect_id = old.effect_id AND a.received_at = old.received_at),
            gone AS (
                DELETE FROM once_ledger.effect e USING old
                WHERE e.effect_id = old.effect_id AND e.received_at = old.received_at
                RETURNING 1)
            SELECT count(*) FROM gone
            """;

    private PurgeSql() {}

    /** Removes at most {@code most} effects; returns how many. Several may run at once. */
    static int purge(Connection connection, Duration retention, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PURGE)) {
            statement.setLong(1, retention.toMillis());
            statement.setLong(2, retention.toMillis());
            statement.setInt(3, most);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getInt(1);
            }
        }
    }
}
