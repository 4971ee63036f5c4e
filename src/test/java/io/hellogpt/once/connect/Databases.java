package io.hellogpt.once.connect;

import io.hellogpt.once.connect.config.LedgerSettings;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL for the whole run, and an empty database in it for each test. */
public final class Databases {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private Databases() {}

    private static final class Server {
        static final EmbeddedPostgres POSTGRES = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder().start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The URL of a new database. */
    public static String create() {
        String name = "ledger_" + NUMBER.incrementAndGet();
        execute(Server.POSTGRES.getJdbcUrl("postgres", "postgres"), "CREATE DATABASE " + name);
        return Server.POSTGRES.getJdbcUrl("postgres", name);
    }

    public static LedgerSettings settings(String url) {
        return new LedgerSettings(url, "postgres", "", 4, Duration.ofSeconds(2), Duration.ofSeconds(10));
    }

    public static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The single number a query gives. */
    public static long number(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
