package io.hellogpt.once.schema;

import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * A codec made of the single-object encoding of a generated class and the two conversions between it and {@code core}.
 *
 * @param <T> a type of {@code core}
 * @param <R> the generated class
 */
final class AvroCodec<T, R extends SpecificRecordBase> implements Codec<T> {
    private final SingleObject<R> wire;
    private final Function<T, R> toAvro;
    private final Function<R, T> toCore;

    AvroCodec(Schema schema, Function<T, R> toAvro, Function<R, T> toCore) {
        this.wire = new SingleObject<>(schema);
        this.toAvro = toAvro;
        this.toCore = toCore;
    }

    @Override
    public byte[] encode(T value) {
        return wire.encode(toAvro.apply(value));
    }

    @Override
    public T decode(byte[] bytes) {
        R record = wire.decode(bytes);
        try {
            return toCore.apply(record);
        } catch (IllegalArgumentException e) {
            throw new CodecException(
                    "a " + wire.schema().getName() + " with a value that is not allowed: " + e.getMessage(), e);
        }
    }
}
