package io.hellogpt.once.ops;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Durations as settings write them: {@code 500ms}, {@code 30s}, {@code 10m}, {@code 24h}, {@code 7d}, or ISO-8601. */
final class Durations implements ConfigDef.Validator {
    static final ConfigDef.Validator POSITIVE = new Durations();

    private static final Pattern SHORT = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException when the text is in neither form
     */
    static Duration parse(String text) {
        Matcher matcher = SHORT.matcher(text.strip());
        if (!matcher.matches()) {
            try {
                return Duration.parse(text.strip());
            } catch (DateTimeParseException notIso) {
                throw new IllegalArgumentException("not a duration", notIso);
            }
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    @Override
    public void ensureValid(String name, Object value) {
        try {
            if (parse((String) value).isPositive()) {
                return;
            }
        } catch (IllegalArgumentException unreadable) {
            throw new ConfigException(name, value, "is not a duration; write " + this);
        }
        throw new ConfigException(name, value, "must be longer than zero");
    }

    @Override
    public String toString() {
        return "a duration such as 500ms, 30s, 10m, 24h, 7d or PT1H30M";
    }
}
