package io.hellogpt.once.schema;

import io.hellogpt.once.schema.avro.Snapshot;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.specific.SpecificData;

/**
 * Which classes a schema may name: the generated ones and no other, whatever a schema from a registry says. They come from this
 * class's own loader, which in Kafka Connect is the plugin's.
 */
final class WireModel extends SpecificData {
    static final WireModel INSTANCE = new WireModel();

    private static final String PACKAGE = Snapshot.class.getPackageName();

    private final Map<String, Class<?>> classes = new ConcurrentHashMap<>();

    private WireModel() {
        super(WireModel.class.getClassLoader());
        addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
    }

    /** Avro's own look-up asks a JVM-wide list of trusted packages, which a library should not have to change. */
    @Override
    @SuppressWarnings("rawtypes")
    public Class getClass(Schema schema) {
        return switch (schema.getType()) {
            case RECORD, ENUM, FIXED ->
                PACKAGE.equals(schema.getNamespace())
                        ? classes.computeIfAbsent(schema.getFullName(), this::load)
                        : null;
            case ARRAY, MAP, UNION, STRING, BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN, NULL -> super.getClass(schema);
        };
    }

    /** Null, as Avro has it, when there is no such class: a type of another version that this one does not need. */
    private Class<?> load(String name) {
        try {
            return Class.forName(name, true, getClassLoader());
        } catch (ClassNotFoundException notOfThisVersion) {
            return null;
        }
    }
}
