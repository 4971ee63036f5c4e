package io.hellogpt.once.connect.config;

import java.time.Duration;
import org.postgresql.Driver;

/**
 * How to reach the ledger.
 *
 * @param user null when the URL has it
 * @param password null when the URL has it, or none is needed
 * @param poolSize connections of one task
 * @param statementTimeout how long the database may be silent before the connection counts as lost
 */
public record LedgerSettings(
        String jdbcUrl,
        String user,
        String password,
        int poolSize,
        Duration connectTimeout,
        Duration statementTimeout) {
    /** Whether {@code url} is one by which the ledger can be reached. Says nothing of why not: it may hold a password. */
    public static boolean isJdbcUrl(String url) {
        return url.startsWith("jdbc:postgresql:") && Driver.parseURL(url, null) != null;
    }

    @Override
    public String toString() {
        return "LedgerSettings[" + user + "]";
    }
}
