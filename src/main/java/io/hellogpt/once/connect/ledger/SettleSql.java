package io.hellogpt.once.connect.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The statements that end claims, each for a whole batch. */
final class SettleSql {
    private static final String SETTLE = """
            WITH t AS (
                SELECT * FROM unnest(?::text[], ?::integer[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[],
                    ?::boolean[], ?::bigint[], ?::timestamptz[], ?::timestamptz[])
                    AS u (effect_id, attempt, token, result, detail, reference, retry_after_ms, in_doubt, at_ms,
                        deadline, received_at)),
            settled AS (
                UPDATE once_ledger.effect e
                SET status = 'SETTLED', result = t.result, detail = t.detail, reference = t.reference,
                    retry_after_ms = t.retry_after_ms, in_doubt = t.in_doubt, lease_until = NULL, deadline = t.deadline,
                    outcome_at = 'epoch'::timestamptz + t.at_ms * interval '1 millisecond', updated_at = clock_timestamp()
                FROM t WHERE e.effect_id = t.effect_id AND e.received_at = t.received_at AND e.lease_token = t.token
                    AND e.status = 'STARTED'
                RETURNING e.effect_id, e.received_at)
            INSERT INTO once_ledger.effect_attempt (effect_id, received_at, attempt, lease_token, lease_owner, fenced, result, detail,
                reference, retry_after_ms, deadline, outcome_at)
            SELECT t.effect_id, t.received_at, t.attempt, t.token, ?, s.effect_id IS NULL, t.result, t.detail, t.reference, t.retry_after_ms,
                t.deadline, 'epoch'::timestamptz + t.at_ms * interval '1 millisecond'
            FROM t LEFT JOIN settled s ON s.effect_id = t.effect_id AND s.received_at = t.received_at
            ON CONFLICT (effect_id, received_at, attempt, lease_token) DO UPDATE SET fenced = effect_attempt.fenced
            RETURNING effect_id, fenced
            """;
    private static final String RELEASE = """
            UPDATE once_ledger.effect e SET status = 'RELEASED', lease_until = NULL, updated_at = clock_timestamp()
            FROM unnest(?::text[], ?::bigint[], ?::timestamptz[]) AS t (effect_id, token, received_at)
            WHERE e.effect_id = t.effect_id AND e.received_at = t.received_at AND e.lease_token = t.token
                AND e.status = 'STARTED'
            """;

    private final String owner;

    SettleSql(String owner) {
        this.owner = owner;
    }

    /** Stores outcomes; returns the effect_ids whose claim had been taken over. */
    Set<String> settle(Connection connection, List<Settlement> settlements) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SETTLE)) {
            new SqlArrays<>(statement, 1, settlements)
                    .text(s -> s.ask().effectId())
                    .column("integer", s -> s.ask().effect().attempt())
                    .column("bigint", Settlement::token)
                    .text(s -> s.verdict().result().name())
                    .text(s -> s.verdict().detail())
                    .text(s -> s.verdict().reference().orElse(null))
                    .column("bigint", s -> millis(s.verdict().retryAfter()))
                    .column("boolean", s -> s.verdict().inDoubt())
                    .column("bigint", s -> s.at().toEpochMilli())
                    .column("timestamptz", s -> deadline(s))
                    .column("timestamptz", s -> s.ask().life());
            statement.setString(12, owner);
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

    private static Long millis(Optional<Duration> duration) {
        return duration.map(Duration::toMillis).orElse(null);
    }

    /** Redundant with the time and the wait of the outcome; for people, and for forgetting. */
    private static String deadline(Settlement settlement) {
        return settlement
                .verdict()
                .outcome(settlement.ask(), settlement.at())
                .deadline()
                .map(Instant::toString)
                .orElse(null);
    }

    /** Gives claims back that were certainly not sent. */
    void release(Connection connection, List<Claim.Execute> claims) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RELEASE)) {
            new SqlArrays<>(statement, 1, claims)
                    .text(claim -> claim.ask().effectId())
                    .column("bigint", Claim.Execute::token)
                    .column("timestamptz", claim -> claim.ask().life());
            statement.executeUpdate();
        }
    }
}
