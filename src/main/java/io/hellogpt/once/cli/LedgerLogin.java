package io.hellogpt.once.cli;

import io.hellogpt.once.connect.config.LedgerSettings;
import io.hellogpt.once.connect.ledger.LedgerDesk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of every verb that uses the ledger's database. */
final class LedgerLogin {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(60);

    @Option(
            names = "--ledger",
            paramLabel = "JDBC-URL",
            converter = LedgerUrl.class,
            required = true,
            defaultValue = "${env:ONCE_LEDGER}",
            description = "The connector's database; ONCE_LEDGER in the environment, if set.")
    private String url;

    @Option(names = "--ledger-user", paramLabel = "NAME", description = "User of the database, where the URL has none.")
    private String user;

    @Option(
            names = "--ledger-password-file",
            paramLabel = "FILE",
            description = "File with the password; without it PGPASSWORD is used, if set.")
    private Path passwordFile;

    LedgerDesk open() throws IOException {
        return new LedgerDesk(new LedgerSettings(url, user, password(), 1, CONNECT_TIMEOUT, STATEMENT_TIMEOUT));
    }

    private String password() throws IOException {
        return passwordFile != null ? Files.readString(passwordFile).strip() : System.getenv("PGPASSWORD");
    }
}
