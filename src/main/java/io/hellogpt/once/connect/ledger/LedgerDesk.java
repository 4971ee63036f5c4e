package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.connect.config.LedgerSettings;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The ledger as a person uses it: look, resolve what is unknown, remove what is old. Works beside running connectors.
 *
 * <p>Whether an effect took effect is the ledger's to say: {@link #resolve} writes it there, where every later attempt finds it,
 * before the request is told with an operator command. What the request does about it is the application's.
 */
public final class LedgerDesk implements AutoCloseable {
    private final LedgerDatabase database;

    public LedgerDesk(LedgerSettings settings) {
        this.database = new LedgerDatabase(settings);
    }

    /**
     * Which effects to list.
     *
     * @param state a status or a result
     * @param most how many; the latest changed come first
     */
    public record Filter(Optional<String> state, Optional<String> route, Optional<String> requestId, int most) {}

    /**
     * One effect.
     *
     * @param receivedAt which life of its request_id it belongs to
     * @param bodyBytes how much was sent; what it was is not shown
     */
    public record Line(
            String effectId,
            Instant receivedAt,
            String route,
            String effectClass,
            String status,
            Optional<Result> result,
            int attempt,
            long token,
            Optional<Instant> leaseUntil,
            boolean inDoubt,
            boolean tombstoned,
            String detail,
            Optional<String> reference,
            Optional<Instant> deadline,
            Instant updatedAt,
            int bodyBytes,
            String fingerprint) {}

    /**
     * One outcome of an attempt.
     *
     * @param by the lease owner, or the person who resolved it
     */
    public record Attempt(
            int attempt,
            long token,
            boolean fenced,
            Result result,
            String detail,
            Optional<String> reference,
            Instant at,
            String by) {}

    /** An effect with its attempts, in the order of their outcomes. */
    public record Sheet(Line line, List<Attempt> attempts) {}

    /** What a person has found out about an effect. */
    public record Finding(EffectId effect, boolean succeeded, String actor, String reason) {
        public Finding {
            Objects.requireNonNull(effect, "effect");
            Objects.requireNonNull(actor, "actor");
            Objects.requireNonNull(reason, "reason");
        }

        private Result result() {
            return succeeded ? Result.SUCCEEDED : Result.FAILED;
        }
    }

    /** What {@link #resolve} came to. */
    public sealed interface Resolution {
        /**
         * The ledger says so now, or said so before.
         *
         * @param token names this resolution: the same however often it is asked for
         */
        record Done(Line line, long token, boolean before) implements Resolution {}

        /** Nothing was changed. */
        record Refused(String why) implements Resolution {}
    }

    public List<Line> list(Filter filter) throws SQLException {
        return database.inTransaction(connection -> DeskSql.list(connection, filter));
    }

    /** Every life of an effect, the latest first; none when the ledger does not know it. */
    public List<Sheet> show(EffectId id) throws SQLException {
        return database.inTransaction(connection -> {
            List<Sheet> sheets = new ArrayList<>();
            for (Line line : DeskSql.show(connection, id)) {
                sheets.add(new Sheet(line, DeskSql.attempts(connection, line)));
            }
            return sheets;
        });
    }

    /**
     * Writes down what a person has found out about an effect whose outcome is unknown: in its latest life, one in doubt, or one
     * whose callback never came. Whoever may still be in its call is fenced.
     */
    public Resolution resolve(Finding finding) throws SQLException {
        return database.inTransaction(connection -> resolve(connection, finding));
    }

    private static Resolution resolve(Connection connection, Finding finding) throws SQLException {
        Optional<Line> found = DeskSql.lock(connection, finding.effect());
        if (found.isEmpty()) {
            return new Resolution.Refused("the ledger does not know " + finding.effect());
        }
        Line line = found.get();
        if (line.status().equals("SETTLED") && line.result().equals(Optional.of(finding.result()))) {
            return new Resolution.Done(line, line.token(), true);
        }
        if (!isResolvable(line)) {
            return new Resolution.Refused(finding.effect() + " is " + line.status()
                    + line.result().map(result -> " " + result).orElse("")
                    + ": only what is UNKNOWN, RETRYABLE in doubt or AWAITING_CALLBACK can be resolved");
        }
        Verdict said = Verdict.certain(finding.result(), "resolved by " + finding.actor() + ": " + finding.reason());
        DeskSql.resolve(connection, line, said.result(), said.detail(), finding.actor());
        return new Resolution.Done(line, line.token() + 1, false);
    }

    private static boolean isResolvable(Line line) {
        return line.status().equals("SETTLED")
                && line.result()
                        .map(result -> switch (result) {
                            case UNKNOWN, AWAITING_CALLBACK -> true;
                            case RETRYABLE -> line.inDoubt();
                            case SUCCEEDED, FAILED, MALFORMED -> false;
                        })
                        .orElse(false);
    }

    /** As {@link EffectLedger#purge}. */
    public int purge(Duration retention, int most) throws SQLException {
        return database.inTransaction(connection -> PurgeSql.purge(connection, retention, most));
    }

    @Override
    public void close() {
        database.close();
    }
}
