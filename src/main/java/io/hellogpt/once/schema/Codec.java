package io.hellogpt.once.schema;

/**
 * Bytes and back. Implementations are stateless and safe for use by several threads.
 *
 * @param <T> a type of {@code core}
 */
public interface Codec<T> {
    /** Avro single-object encoding of {@code value} with the current schema. */
    byte[] encode(T value);

    /**
     * Reads any released version.
     *
     * @throws CodecException when the bytes are not a record of this type
     */
    T decode(byte[] bytes);
}
