package io.hellogpt.once.connect.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The header of RFC 9110, section 10.2.3: seconds, or a date. */
final class RetryAfter {
    private static final Duration LONGEST = Duration.ofDays(1);

    private RetryAfter() {}

    /** Empty when {@code value} is neither. Never negative and never over a day: a receiver must not park an effect for ever. */
    static Optional<Duration> read(String value, Instant now) {
        String text = value.strip();
        if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            Duration seconds = text.length() > 9 ? LONGEST : Duration.ofSeconds(Long.parseLong(text));
            return Optional.of(bounded(seconds));
        }
        try {
            Instant date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Optional.of(bounded(Duration.between(now, date)));
        } catch (DateTimeException notADate) {
            return Optional.empty();
        }
    }

    private static Duration bounded(Duration wait) {
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
