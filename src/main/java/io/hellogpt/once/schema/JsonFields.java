package io.hellogpt.once.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The fields of one JSON object, read by name and type. What does not fit is refused with the field's name, never its value.
 *
 * @param where the path of the object for messages, ending in a dot, or empty at the root
 */
record JsonFields(JsonNode object, String where) {
    private static final Pattern PRINTABLE_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
    private static final Pattern TIME = Pattern.compile(
            "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})");

    JsonFields {
        if (!object.isObject()) {
            throw Refusal.invalid((where.isEmpty() ? "the value" : where.substring(0, where.length() - 1))
                    + " must be a JSON object");
        }
    }

    void allowOnly(Set<String> names) {
        object.fieldNames().forEachRemaining(name -> {
            if (!names.contains(name)) {
                throw Refusal.invalid("unknown field " + printable(where, name));
            }
        });
    }

    boolean has(String name) {
        return object.has(name);
    }

    JsonNode required(String name) {
        JsonNode node = object.get(name);
        if (node == null) {
            throw Refusal.invalid(where + name + " is missing");
        }
        return node;
    }

    JsonNode objectOr(String name, JsonNode absent) {
        JsonNode node = object.has(name) ? object.get(name) : absent;
        if (!node.isObject()) {
            throw Refusal.invalid(where + name + " must be a JSON object");
        }
        return node;
    }

    /** A name or a title: a string with something in it and no control characters. */
    String label(String name) {
        return label(name, required(name));
    }

    String labelOr(String name, String absent) {
        return object.has(name) ? label(name, object.get(name)) : absent;
    }

    boolean flag(String name) {
        JsonNode node = object.get(name);
        if (node != null && !node.isBoolean()) {
            throw Refusal.invalid(where + name + " must be true or false");
        }
        return node != null && node.booleanValue();
    }

    /** A whole number from 0 to the largest int; 0 when absent. */
    int count(String name) {
        JsonNode node = object.get(name);
        if (node == null) {
            return 0;
        }
        BigDecimal value = node.isNumber() ? node.decimalValue() : BigDecimal.valueOf(-1);
        if (value.signum() < 0
                || value.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0
                || value.stripTrailingZeros().scale() > 0) {
            throw Refusal.invalid(where + name + " must be a whole number from 0 to " + Integer.MAX_VALUE);
        }
        return value.intValueExact();
    }

    /** A time in whole milliseconds; empty when absent or null. */
    Optional<Instant> time(String name) {
        JsonNode node = object.get(name);
        if (node == null || node.isNull()) {
            return Optional.empty();
        }
        try {
            if (node.isTextual() && TIME.matcher(node.textValue()).matches()) {
                return Optional.of(Instant.parse(node.textValue()).truncatedTo(ChronoUnit.MILLIS));
            }
        } catch (DateTimeException noSuchTime) {
            // Refused below, with those of another form.
        }
        throw Refusal.invalid(where + name + " must be a time such as 2026-01-31T12:00:00Z");
    }

    /** An object whose values are all strings; empty when absent. */
    Map<String, String> strings(String name) {
        JsonNode node = object.get(name);
        if (node == null) {
            return Map.of();
        }
        if (!node.isObject()) {
            throw Refusal.invalid(where + name + " must be a JSON object");
        }
        Map<String, String> strings = new HashMap<>();
        node.properties().forEach(entry -> {
            if (!entry.getValue().isTextual()) {
                throw Refusal.invalid(printable(where + name + ".", entry.getKey()) + " must be a string");
            }
            strings.put(unicode(entry.getKey()), unicode(entry.getValue().textValue()));
        });
        return strings;
    }

    private String label(String name, JsonNode node) {
        if (!node.isTextual()) {
            throw Refusal.invalid(where + name + " must be a string");
        }
        String text = node.textValue();
        if (text.isEmpty()) {
            throw Refusal.invalid(where + name + " must not be empty");
        }
        if (CONTROL.matcher(text).find()) {
            throw Refusal.invalid(where + name + " has a control character");
        }
        return unicode(text);
    }

    /** Half a surrogate pair cannot be written as UTF-8: it would come back as a question mark. */
    private static String unicode(String text) {
        CanonicalJson.appendString(text, new StringBuilder(text.length() + 2));
        return text;
    }

    private static String printable(String where, String name) {
        return PRINTABLE_NAME.matcher(name).matches() ? where + name : where + "(a name that is not printable)";
    }
}
