package io.hellogpt.once.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * One text for all spellings of a JSON value, after RFC 8785: no white space, names sorted by UTF-16 code unit, the shortest
 * escapes. Unlike there, numbers are compared as decimals and not as binary doubles, so that two long account numbers which
 * differ in the last digit stay different: {@code 1}, {@code 1.0} and {@code 1e0} are one number, printed in plain digits from
 * 1e-7 to below 1e21 and with an exponent beyond.
 */
final class CanonicalJson {
    private static final int SMALLEST_PLAIN_EXPONENT = -7;
    private static final int SMALLEST_EXPONENT_PRINTED = 21;
    private static final String HEX = "0123456789abcdef";

    private CanonicalJson() {}

    /** @throws Refusal when a string is not Unicode text, which RFC 8785 forbids too */
    static String text(JsonNode node) {
        StringBuilder out = new StringBuilder();
        append(node, out);
        return out.toString();
    }

    static void append(JsonNode node, StringBuilder out) {
        switch (node.getNodeType()) {
            case OBJECT -> appendObject(node, out);
            case ARRAY -> appendArray(node, out);
            case STRING -> appendString(node.textValue(), out);
            case NUMBER -> out.append(number(node.decimalValue()));
            case BOOLEAN -> out.append(node.booleanValue());
            case NULL -> out.append("null");
            case BINARY, MISSING, POJO -> throw new IllegalArgumentException("not JSON: " + node.getNodeType());
        }
    }

    private static void appendObject(JsonNode object, StringBuilder out) {
        Map<String, JsonNode> sorted = new TreeMap<>();
        object.properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        out.append('{');
        for (Iterator<Map.Entry<String, JsonNode>> entries = sorted.entrySet().iterator(); entries.hasNext(); ) {
            Map.Entry<String, JsonNode> entry = entries.next();
            appendString(entry.getKey(), out);
            out.append(':');
            append(entry.getValue(), out);
            if (entries.hasNext()) {
                out.append(',');
            }
        }
        out.append('}');
    }

    private static void appendArray(JsonNode array, StringBuilder out) {
        out.append('[');
        for (int i = 0; i < array.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            append(array.get(i), out);
        }
        out.append(']');
    }

    static void appendString(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < ' ') {
                        out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
                    } else if (Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1))) {
                        out.append(c).append(text.charAt(++i));
                    } else if (Character.isSurrogate(c)) {
                        throw Refusal.malformed("a string holds half a surrogate pair, which is not Unicode text");
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static String number(BigDecimal value) {
        if (value.signum() == 0) {
            return "0";
        }
        BigDecimal stripped = value.stripTrailingZeros();
        long exponent = (long) stripped.precision() - stripped.scale() - 1;
        if (exponent >= SMALLEST_PLAIN_EXPONENT && exponent < SMALLEST_EXPONENT_PRINTED) {
            return stripped.toPlainString();
        }
        String digits = stripped.unscaledValue().abs().toString();
        return (stripped.signum() < 0 ? "-" : "")
                + digits.charAt(0)
                + (digits.length() > 1 ? "." + digits.substring(1) : "")
                + (exponent < 0 ? "e" : "e+")
                + exponent;
    }
}
