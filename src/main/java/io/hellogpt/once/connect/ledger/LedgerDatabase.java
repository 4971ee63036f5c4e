package io.hellogpt.once.connect.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hellogpt.once.connect.config.LedgerSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.postgresql.ds.PGSimpleDataSource;

/** The ledger's database: a pool of connections, and transactions on them. Safe for several threads. */
final class LedgerDatabase implements AutoCloseable {
    private final HikariDataSource pool;

    /** Opens no connection yet: a database that is down at start delays the work and does not fail it. */
    LedgerDatabase(LedgerSettings settings) {
        this.pool = new HikariDataSource(pool(settings));
    }

    private static HikariConfig pool(LedgerSettings settings) {
        // A data source of our own instead of DriverManager, which does not see drivers in a plugin's class loader.
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(settings.jdbcUrl());
        // A URL may have them in it.
        Optional.ofNullable(settings.user()).ifPresent(source::setUser);
        Optional.ofNullable(settings.password()).ifPresent(source::setPassword);
        source.setApplicationName("hellogpt-once-connect");
        source.setConnectTimeout((int) Math.max(1, settings.connectTimeout().toSeconds()));
        source.setSocketTimeout((int) Math.max(1, settings.statementTimeout().toSeconds()));
        source.setTcpKeepAlive(true);
        // Array parameters of any size plan the same; without this the first statements of each connection are parsed
        // anew.
        source.setPrepareThreshold(1);
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setPoolName("once-ledger");
        config.setAutoCommit(false);
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(settings.connectTimeout().toMillis());
        config.setValidationTimeout(Math.min(5_000, settings.connectTimeout().toMillis()));
        config.setInitializationFailTimeout(-1);
        return config;
    }

    /** What is done in one transaction. */
    interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    /** Runs {@code work} and commits; rolls back when it throws. */
    <T> T inTransaction(Work<T> work) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            try {
                T result = work.in(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                rollBack(connection, e);
                throw e;
            }
        }
    }

    private static void rollBack(Connection connection, Exception because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
