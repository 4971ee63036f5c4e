package io.hellogpt.once.cli;

import io.hellogpt.once.connect.config.LedgerSettings;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The JDBC URL of a ledger's database, as {@code --ledger} takes it. It is not repeated in messages: it may hold a password. */
final class LedgerUrl implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
        if (!LedgerSettings.isJdbcUrl(value)) {
            String hint = value.matches("postgres(ql)?://.*")
                    ? "; put jdbc:postgresql:// in place of what it begins with"
                    : "";
            throw new TypeConversionException(
                    "not a JDBC URL of PostgreSQL, jdbc:postgresql://host:port/database" + hint);
        }
        return value;
    }
}
