package io.hellogpt.once.schema;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Optional;

/** The conversions between optional values of {@code core} and nullable fields of the schemas. */
final class Nullable {
    private Nullable() {}

    /** A field that must be there, given what else the record says. */
    static <T> T required(T value, String field, Enum<?> kind) {
        if (value == null) {
            throw new CodecException("a record of kind " + kind + " has no " + field);
        }
        return value;
    }

    /** Whole milliseconds; a duration too long to count in them becomes the longest that can be. */
    static Long millis(Optional<Duration> duration) {
        return duration.map(Nullable::saturated).orElse(null);
    }

    static Optional<Duration> duration(Long millis) {
        return Optional.ofNullable(millis).map(Duration::ofMillis);
    }

    private static Long saturated(Duration duration) {
        try {
            return duration.toMillis();
        } catch (ArithmeticException | DateTimeException tooLong) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
