package io.hellogpt.once.schema;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The schemas this version writes, by the fingerprints that stand in front of every record. */
public final class SchemaFingerprints {
    private SchemaFingerprints() {}

    /** The name of every record type to its CRC-64-AVRO fingerprint, in hexadecimal. */
    public static SortedMap<String, String> current() {
        SortedMap<String, String> fingerprints = new TreeMap<>();
        RecordJson.currentSchemas()
                .forEach(schema ->
                        fingerprints.put(schema.getName(), "%016x".formatted(SingleObject.fingerprint(schema))));
        return fingerprints;
    }

    /** Whether records of that type with that fingerprint can be read: it is this version's, or a released one's. */
    public static boolean isKnown(String type, String fingerprint) {
        return fingerprint.equals(current().get(type))
                || ReleasedSchemas.versions().values().stream()
                        .flatMap(List::stream)
                        .anyMatch(schema -> schema.getName().equals(type)
                                && fingerprint.equals("%016x".formatted(SingleObject.fingerprint(schema))));
    }

    /** The first byte of a record in Confluent framing, before the id of its schema in the registry. */
    public static boolean isFramed(byte[] value) {
        return value != null && value.length >= 5 && value[0] == 0;
    }

    /** The id of a framed record's schema in the registry. */
    public static int registryId(byte[] framed) {
        return java.nio.ByteBuffer.wrap(framed).getInt(1);
    }
}
