package io.hellogpt.once.schema;

import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;

/**
 * Walks a datum without building it. Bytes that declare a length they do not have are found here, before a reader allocates
 * what they declare: a record of twenty bytes must not cost two gigabytes.
 */
final class BoundedWalk {
    private static final int MAX_DEPTH = 64;

    private final Decoder in;
    private long itemsLeft;

    /** @param maxItems array and map entries in all; those of size zero would otherwise be free */
    BoundedWalk(Decoder in, long maxItems) {
        this.in = in;
        this.itemsLeft = maxItems;
    }

    void over(Schema schema) throws IOException {
        over(schema, 0);
    }

    private void over(Schema schema, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new AvroRuntimeException("nested deeper than " + MAX_DEPTH);
        }
        switch (schema.getType()) {
            case RECORD -> {
                for (Schema.Field field : schema.getFields()) {
                    over(field.schema(), depth + 1);
                }
            }
            case UNION -> over(branch(schema), depth + 1);
            case ARRAY -> overArray(schema.getElementType(), depth);
            case MAP -> overMap(schema.getValueType(), depth);
            case ENUM -> checkIndex(in.readEnum(), schema.getEnumSymbols().size());
            case FIXED -> in.skipFixed(schema.getFixedSize());
            case STRING -> in.skipString();
            case BYTES -> in.skipBytes();
            case INT -> in.readInt();
            case LONG -> in.readLong();
            case FLOAT -> in.readFloat();
            case DOUBLE -> in.readDouble();
            case BOOLEAN -> in.readBoolean();
            case NULL -> in.readNull();
        }
    }

    private Schema branch(Schema union) throws IOException {
        int index = in.readIndex();
        checkIndex(index, union.getTypes().size());
        return union.getTypes().get(index);
    }

    private void overArray(Schema element, int depth) throws IOException {
        for (long count = in.readArrayStart(); count != 0; count = in.arrayNext()) {
            spend(count);
            for (long i = 0; i < count; i++) {
                over(element, depth + 1);
            }
        }
    }

    private void overMap(Schema value, int depth) throws IOException {
        for (long count = in.readMapStart(); count != 0; count = in.mapNext()) {
            spend(count);
            for (long i = 0; i < count; i++) {
                in.skipString();
                over(value, depth + 1);
            }
        }
    }

    private void spend(long count) {
        itemsLeft -= count;
        if (count < 0 || itemsLeft < 0) {
            throw new AvroRuntimeException("declares more entries than it has bytes");
        }
    }

    private static void checkIndex(int index, int size) {
        if (index < 0 || index >= size) {
            throw new AvroRuntimeException("branch " + index + " of " + size);
        }
    }
}
