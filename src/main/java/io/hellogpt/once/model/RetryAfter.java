package io.hellogpt.once.model;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** The Retry-After header (RFC 9110, section 10.2.3): seconds, or a date. */
final class RetryAfter {
    /** A provider that asks for more is not waited for longer; a request must not sleep for a year on a typing error. */
    private static final Duration MAX = Duration.ofDays(1);

    private RetryAfter() {}

    /** @return how long to wait, or empty when the header says nothing that can be read */
    static Optional<Duration> parse(String header, Instant now) {
        String value = header.strip();
        try {
            return value.matches("\\d{1,18}")
                    ? Optional.of(bounded(Duration.ofSeconds(Long.parseLong(value))))
                    : Optional.of(bounded(Duration.between(
                            now,
                            ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant())));
        } catch (DateTimeParseException unreadable) {
            return Optional.empty();
        }
    }

    private static Duration bounded(Duration asked) {
        if (asked.isNegative()) {
            return Duration.ZERO;
        }
        return asked.compareTo(MAX) > 0 ? MAX : asked;
    }
}
