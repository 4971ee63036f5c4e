package io.hellogpt.once.connect.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Brings the schema {@code once_ledger} up to what this version needs. Many tasks start at once, so an advisory lock lets one
 * of them do it. Released files are never changed; a change is a new file.
 */
final class Migrations {
    private static final List<String> FILES = List.of("V1__ledger.sql", "V2__care.sql");
    private static final long LOCK = 0x6f6e63655f6c6467L;
    private static final String HISTORY = "once_ledger.schema_version";

    private Migrations() {}

    /**
     * Applies what is missing, in one transaction.
     *
     * @param connection without auto-commit; committed on return
     * @throws SQLException when the database refuses, or was migrated by a newer version of the connector
     */
    static void apply(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
            if (!exists(statement)) {
                statement.execute("CREATE SCHEMA IF NOT EXISTS once_ledger");
                statement.execute(
                        "CREATE TABLE " + HISTORY
                                + " (version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())");
            }
            int present = version(statement);
            if (present > FILES.size()) {
                throw new SQLException("the ledger's schema has version " + present + ", this connector knows up to "
                        + FILES.size() + "; run the newer connector everywhere");
            }
            for (int version = present + 1; version <= FILES.size(); version++) {
                apply(connection, statement, version);
            }
        }
        connection.commit();
    }

    private static boolean exists(Statement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT to_regclass('" + HISTORY + "') IS NOT NULL")) {
            return result.next() && result.getBoolean(1);
        }
    }

    private static int version(Statement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT coalesce(max(version), 0) FROM " + HISTORY)) {
            return result.next() ? result.getInt(1) : 0;
        }
    }

    private static void apply(Connection connection, Statement statement, int version) throws SQLException {
        String name = FILES.get(version - 1);
        statement.execute(text(name));
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + HISTORY + " (version, name) VALUES (?, ?)")) {
            insert.setInt(1, version);
            insert.setString(2, name);
            insert.executeUpdate();
        }
    }

    private static String text(String name) throws SQLException {
        try (InputStream in = Migrations.class.getResourceAsStream("/once-ledger/" + name)) {
            if (in == null) {
                throw new SQLException("the connector's archive lacks the migration " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new SQLException("cannot read the migration " + name, e);
        }
    }
}
