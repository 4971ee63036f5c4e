package io.hellogpt.once.schema;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Avro single-object encoding of one record type: two marker bytes, the writer schema's CRC-64-AVRO fingerprint in little
 * endian, the datum. Reads every released version. Safe for use by several threads.
 *
 * @param <R> a generated record class
 */
final class SingleObject<R extends SpecificRecordBase> {
    static final int MARKER_0 = 0xC3;
    static final int MARKER_1 = 0x01;
    static final int HEADER_BYTES = 10;

    // The encoder's buffer is the costly part; what it writes to is made anew, so that no thread keeps a large record.
    private static final ThreadLocal<BinaryEncoder> ENCODER = new ThreadLocal<>();
    private static final ThreadLocal<BinaryDecoder> DECODER = new ThreadLocal<>();

    private static final int HEADROOM = 64;
    private static final int SMALLEST = 256;
    private static final int LARGEST = 64 * 1024;

    private final Schema schema;
    /** About what the next record will take, so that its buffer need not grow; whichever thread wrote last is right enough. */
    private int expected = SMALLEST;

    private final byte[] header;
    private final DatumWriter<R> writer;
    private final Map<Long, Version<R>> versions = new HashMap<>();

    SingleObject(Schema schema) {
        this.schema = schema;
        this.header = header(schema);
        this.writer = new SpecificDatumWriter<>(schema, WireModel.INSTANCE);
        for (Schema released : ReleasedSchemas.of(schema.getFullName())) {
            versions.put(fingerprint(released), version(released));
        }
        versions.put(fingerprint(schema), version(schema));
    }

    /** A schema it was written with and the reader that turns it into the current class. */
    record Version<R>(Schema schema, DatumReader<R> reader) {}

    byte[] encode(R value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(expected);
        out.writeBytes(header);
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, ENCODER.get());
        ENCODER.set(encoder);
        try {
            writer.write(value, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new CodecException("cannot encode a " + schema.getName(), e);
        }
        expected = Math.clamp(out.size() + HEADROOM, SMALLEST, LARGEST);
        return out.toByteArray();
    }

    /** @throws CodecException when the bytes are not exactly one record of this type */
    R decode(byte[] bytes) {
        if (!isSingleObject(bytes)) {
            throw new CodecException("not a " + schema.getName() + ": "
                    + (bytes == null ? "no bytes" : bytes.length + " bytes without the Avro single-object marker"));
        }
        long fingerprint = fingerprint(bytes);
        Version<R> version = versions.get(fingerprint);
        if (version == null) {
            throw new CodecException(
                    "not a known version of %s: schema fingerprint %016x".formatted(schema.getName(), fingerprint));
        }
        return decode(version, bytes, HEADER_BYTES);
    }

    /** Reads a bare datum from {@code offset} to the end, as {@code version} says it was written. */
    R decode(Version<R> version, byte[] bytes, int offset) {
        int length = bytes.length - offset;
        try {
            BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(bytes, offset, length, DECODER.get());
            DECODER.set(decoder);
            new BoundedWalk(decoder, length).over(version.schema());
            if (!decoder.isEnd()) {
                throw new CodecException("bytes are left over after a " + schema.getName());
            }
            return version.reader().read(null, DecoderFactory.get().binaryDecoder(bytes, offset, length, decoder));
        } catch (CodecException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // Avro tells of damage by a dozen kinds of exception; whichever it is, these bytes are no record.
            throw new CodecException("damaged bytes of a " + schema.getName() + ": " + e.getMessage(), e);
        }
    }

    /** How to read what was written with {@code writerSchema}; costly, to be kept. */
    Version<R> version(Schema writerSchema) {
        return new Version<>(writerSchema, new SpecificDatumReader<>(writerSchema, schema, WireModel.INSTANCE));
    }

    /** The fingerprints of all versions it reads. */
    Set<Long> fingerprints() {
        return versions.keySet();
    }

    Schema schema() {
        return schema;
    }

    static boolean isSingleObject(byte[] bytes) {
        return bytes != null && bytes.length >= HEADER_BYTES && (bytes[0] & 0xFF) == MARKER_0 && bytes[1] == MARKER_1;
    }

    static long fingerprint(Schema schema) {
        return SchemaNormalization.parsingFingerprint64(schema);
    }

    static long fingerprint(byte[] singleObject) {
        return ByteBuffer.wrap(singleObject).order(ByteOrder.LITTLE_ENDIAN).getLong(2);
    }

    private static byte[] header(Schema schema) {
        return ByteBuffer.allocate(HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) MARKER_0)
                .put((byte) MARKER_1)
                .putLong(fingerprint(schema))
                .array();
    }
}
