package io.hellogpt.once.ops.verify;

import io.hellogpt.once.ops.verify.Evidence.Bill;
import io.hellogpt.once.ops.verify.Evidence.Ledger;
import io.hellogpt.once.ops.verify.Evidence.LedgerEffect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Reads the connector's ledger, both tables in one snapshot of the database. */
public final class LedgerEvidence {
    private static final String BILLS = "SELECT request_id, snapshot_sha256, cost_nanos FROM once_ledger.billing";
    private static final String EFFECTS = "SELECT effect_id, route, status, result FROM once_ledger.effect";

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
            return new Ledger(bills(connection), effects(connection));
        }
    }

    private static List<Bill> bills(Connection connection) throws SQLException {
        List<Bill> bills = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(BILLS)) {
            while (rows.next()) {
                bills.add(new Bill(rows.getString(1), rows.getString(2), rows.getLong(3)));
            }
        }
        return bills;
    }

    private static List<LedgerEffect> effects(Connection connection) throws SQLException {
        List<LedgerEffect> effects = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(EFFECTS)) {
            while (rows.next()) {
                effects.add(new LedgerEffect(
                        rows.getString(1),
                        rows.getString(2),
                        rows.getString(3),
                        Optional.ofNullable(rows.getString(4))));
            }
        }
        return effects;
    }
}
