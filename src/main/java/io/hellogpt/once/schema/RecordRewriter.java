package io.hellogpt.once.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecordBase;

/** Rewrites texts and bytes inside records of any type, for redaction. Safe for use by several threads. */
public final class RecordRewriter {
    private static final Map<String, SingleObject<?>> WIRES = wires();

    private RecordRewriter() {}

    /** What a text or bytes field becomes. */
    @FunctionalInterface
    public interface Rule {
        /**
         * @param record name of the record type the field is in, e.g. {@code Answer}
         * @param value a String or a ByteBuffer; for a map, each of its values
         * @return the same type
         */
        Object apply(String record, String field, Object value);
    }

    /**
     * The record with every field as the rule has it, in the current version of its schema.
     *
     * @throws CodecException when the bytes are no record of the system in Avro
     */
    public static byte[] rewrite(byte[] value, Rule rule) {
        return rewrite(WIRES.get(RecordJson.type(value)), value, rule);
    }

    private static <R extends SpecificRecordBase> byte[] rewrite(SingleObject<R> wire, byte[] value, Rule rule) {
        R record = wire.decode(value);
        walk(record, rule);
        return wire.encode(record);
    }

    private static void walk(IndexedRecord record, Rule rule) {
        String type = record.getSchema().getName();
        for (Schema.Field field : record.getSchema().getFields()) {
            Object before = record.get(field.pos());
            Object after = changed(type, field.name(), before, rule);
            if (after != before) {
                record.put(field.pos(), after);
            }
        }
    }

    private static Object changed(String type, String field, Object value, Rule rule) {
        return switch (value) {
            case null -> null;
            case IndexedRecord nested -> {
                walk(nested, rule);
                yield nested;
            }
            case List<?> list ->
                list.stream().map(item -> changed(type, field, item, rule)).toList();
            case Map<?, ?> map -> {
                Map<String, Object> after = new TreeMap<>();
                map.forEach((name, item) -> after.put(String.valueOf(name), changed(type, field, item, rule)));
                yield after;
            }
            case String text -> rule.apply(type, field, text);
            case java.nio.ByteBuffer bytes -> rule.apply(type, field, bytes);
            default -> value;
        };
    }

    private static Map<String, SingleObject<?>> wires() {
        Map<String, SingleObject<?>> wires = new HashMap<>();
        RecordJson.currentSchemas().forEach(schema -> wires.put(schema.getName(), new SingleObject<>(schema)));
        return Map.copyOf(wires);
    }
}
