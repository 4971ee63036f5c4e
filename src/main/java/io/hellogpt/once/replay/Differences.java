package io.hellogpt.once.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.hellogpt.once.core.TraceContext;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.RecordJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** Finds the fields in which two records differ. */
final class Differences {
    private static final Set<String> TRACE = Set.of(TraceContext.TRACEPARENT, TraceContext.TRACESTATE);

    private Differences() {}

    /** One field with its two values, as JSON. */
    record Field(String pointer, String recorded, String replayed) {}

    static List<Field> between(Output recorded, Output replayed, boolean timestamps) {
        List<Field> fields = new ArrayList<>();
        if (!Arrays.equals(recorded.value(), replayed.value())) {
            walk(
                    "",
                    json(recorded.value()),
                    json(replayed.value()),
                    (pointer, sides) -> fields.add(new Field(
                            pointer, sides.get(0).toString(), sides.get(1).toString())));
        }
        if (timestamps && recorded.timestamp() != replayed.timestamp()) {
            fields.add(
                    new Field("(timestamp)", Long.toString(recorded.timestamp()), Long.toString(replayed.timestamp())));
        }
        // Whether spans are made is the instance's affair, and their ids with it. The trace is the request's.
        Optional<String> trace = trace(recorded).filter(known -> trace(replayed).isPresent());
        String before = headers(recorded) + trace.map(" trace="::concat).orElse("");
        String now = headers(replayed)
                + trace.flatMap(known -> trace(replayed)).map(" trace="::concat).orElse("");
        if (!before.equals(now)) {
            fields.add(new Field("(headers)", before, now));
        }
        return fields;
    }

    static JsonNode json(byte[] value) {
        if (value == null) {
            return JsonNodeFactory.instance.nullNode();
        }
        try {
            return RecordJson.read(value);
        } catch (CodecException unreadable) {
            return JsonNodeFactory.instance.textNode(Base64.getEncoder().encodeToString(value));
        }
    }

    private static void walk(String at, JsonNode left, JsonNode right, BiConsumer<String, List<JsonNode>> differ) {
        if (left.equals(right)) {
            return;
        }
        if (left.isObject() && right.isObject()) {
            Set<String> names = new TreeSet<>();
            left.fieldNames().forEachRemaining(names::add);
            right.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> walk(at + "/" + name, left.path(name), right.path(name), differ));
        } else if (left.isArray() && right.isArray() && left.size() == right.size()) {
            for (int i = 0; i < left.size(); i++) {
                walk(at + "/" + i, left.get(i), right.get(i), differ);
            }
        } else {
            differ.accept(at.isEmpty() ? "/" : at, List.of(left, right));
        }
    }

    private static Optional<String> trace(Output output) {
        return output.headers().stream()
                .filter(header -> header.name().equals(TraceContext.TRACEPARENT) && header.value() != null)
                .map(header -> new String(header.value(), StandardCharsets.ISO_8859_1))
                .flatMap(parent -> TraceContext.read(parent, Optional.empty()).stream())
                .map(TraceContext::traceId)
                .findFirst();
    }

    private static String headers(Output output) {
        StringBuilder text = new StringBuilder();
        for (CapturedRecord.Entry header : output.headers()) {
            if (!TRACE.contains(header.name())) {
                text.append(header.name())
                        .append('=')
                        .append(
                                header.value() == null
                                        ? "null"
                                        : new String(header.value(), StandardCharsets.ISO_8859_1))
                        .append(' ');
            }
        }
        return text.toString().strip();
    }
}
