package io.hellogpt.once.ops.verify;

import io.hellogpt.once.ops.verify.Evidence.Bill;
import io.hellogpt.once.ops.verify.Evidence.Ledger;
import io.hellogpt.once.ops.verify.Evidence.LedgerEffect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Reads the connector's ledger, both tables in one snapshot of the database. */
public final class LedgerEvidence {
    private static final String BILLS = "SELECT request_id, snapshot_sha256, cost_nanos FROM once_ledger.billing";
    private static final String EFFECTS = "SELECT effect_id, route, status, result FROM once_ledger.effect";

    private static final String OF_REQUESTS = " WHERE request_id = ANY (?)";

    private LedgerEvidence() {}

    /**
     * Reads everything.
     *
     * @param url JDBC URL of the database
     * @param login {@code user} and {@code password}, where the URL does not have them
     * @throws SQLException when the database cannot be asked
     */
    public static Ledger read(String url, Properties login) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, login)) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            Object[] all = {};
            return new Ledger(
                    select(connection, BILLS, all, LedgerEvidence::bill),
                    select(connection, EFFECTS, all, LedgerEvidence::effect));
        }
    }

    /**
     * Reads what the ledger says of some requests.
     *
     * @throws SQLException when the database cannot be asked
     */
    public static Ledger read(String url, Properties login, Collection<String> requestIds) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, login)) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            Object[] ids = requestIds.toArray();
            return new Ledger(
                    select(connection, BILLS + OF_REQUESTS, ids, LedgerEvidence::bill),
                    select(connection, EFFECTS + OF_REQUESTS, ids, LedgerEvidence::effect));
        }
    }

    private interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private static <T> List<T> select(Connection connection, String sql, Object[] ids, Row<T> entry)
            throws SQLException {
        List<T> entries = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            if (sql.endsWith(OF_REQUESTS)) {
                statement.setArray(1, connection.createArrayOf("text", ids));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    entries.add(entry.read(rows));
                }
            }
        }
        return entries;
    }

    private static Bill bill(ResultSet row) throws SQLException {
        return new Bill(row.getString(1), row.getString(2), row.getLong(3));
    }

    private static LedgerEffect effect(ResultSet row) throws SQLException {
        return new LedgerEffect(
                row.getString(1), row.getString(2), row.getString(3), Optional.ofNullable(row.getString(4)));
    }
}
