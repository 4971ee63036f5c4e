package io.hellogpt.once.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestIdFormat;
import io.hellogpt.once.schema.avro.ModelRequest;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the values of {@code requests}, which strangers write. The first bytes say how: {@code C3 01} is Avro single-object
 * encoding, {@code 00} Confluent framing (when a registry is configured), {@code &#123;} after optional white space JSON.
 *
 * <p>Contract: whatever the bytes, the answer is a {@link Decoded}; nothing is thrown but
 * {@link RegistryUnavailableException}, when what they mean cannot be known now. Safe for use by several threads.
 */
public final class RequestDecoder {
    private static final SingleObject<ModelRequest> WIRE = new SingleObject<>(ModelRequest.getClassSchema());
    private static final int CONFLUENT_MAGIC = 0x00;
    private static final int CONFLUENT_HEADER_BYTES = 5;

    private final RequestReader reader;
    private final int maxBytes;
    private final Optional<SchemaRegistry> registry;
    private final Map<Integer, SingleObject.Version<ModelRequest>> registered = new ConcurrentHashMap<>();

    /**
     * Makes a decoder.
     *
     * @param maxBytes longest value accepted
     * @param registry where the schemas of values in Confluent framing are; without one they are refused
     */
    public RequestDecoder(RequestIdFormat idFormat, int maxBytes, Optional<SchemaRegistry> registry) {
        this.reader = new RequestReader(Objects.requireNonNull(idFormat, "idFormat"));
        this.maxBytes = maxBytes;
        this.registry = Objects.requireNonNull(registry, "registry");
    }

    /**
     * Reads one value.
     *
     * @param value may be null, as a tombstone is
     * @throws RegistryUnavailableException when the value names a schema and the registry cannot be asked for it
     */
    public Decoded decode(byte[] value) {
        JsonNode json;
        try {
            json = json(value);
        } catch (Refusal refusal) {
            return unreadable(refusal, Optional.empty());
        }
        try {
            var request = reader.read(json);
            return new Decoded.Request(request, CanonicalForm.fingerprintOfCanonical(request));
        } catch (Refusal refusal) {
            return unreadable(refusal, reader.idOf(json));
        }
    }

    private JsonNode json(byte[] value) {
        if (value == null || value.length == 0) {
            throw Refusal.malformed("the record has no value");
        }
        if (value.length > maxBytes) {
            throw Refusal.tooLarge("the value has %d bytes, at most %d are allowed".formatted(value.length, maxBytes));
        }
        if (SingleObject.isSingleObject(value)) {
            return avro(value);
        }
        if (value[0] == CONFLUENT_MAGIC) {
            return framed(value);
        }
        if (startsLikeAnObject(value)) {
            return StrictJson.parse(value);
        }
        throw Refusal.malformed(
                "the value is none of: Avro single-object encoding (C3 01), Confluent framing (00), a JSON object");
    }

    private static JsonNode avro(byte[] value) {
        try {
            return RequestJson.of(WIRE.decode(value));
        } catch (CodecException e) {
            throw Refusal.malformed(e.getMessage());
        }
    }

    private JsonNode framed(byte[] value) {
        if (value.length < CONFLUENT_HEADER_BYTES) {
            throw Refusal.malformed("the value is shorter than Confluent framing");
        }
        SchemaRegistry schemas = registry.orElseThrow(
                () -> Refusal.malformed("the value is in Confluent framing and no schema registry is configured"));
        int id = ByteBuffer.wrap(value).getInt(1);
        try {
            return RequestJson.of(WIRE.decode(version(schemas, id), value, CONFLUENT_HEADER_BYTES));
        } catch (CodecException e) {
            throw Refusal.malformed("read with schema id " + id + ": " + e.getMessage());
        }
    }

    private SingleObject.Version<ModelRequest> version(SchemaRegistry schemas, int id) {
        SingleObject.Version<ModelRequest> known = registered.get(id);
        if (known != null) {
            return known;
        }
        SingleObject.Version<ModelRequest> found = schemas.byId(id)
                .map(WIRE::version)
                .orElseThrow(() -> Refusal.malformed("the schema registry has no usable Avro schema with id " + id));
        registered.put(id, found);
        return found;
    }

    private static boolean startsLikeAnObject(byte[] value) {
        for (byte b : value) {
            switch (b) {
                case ' ', '\t', '\n', '\r' -> {}
                default -> {
                    return b == '{';
                }
            }
        }
        return false;
    }

    private static Decoded unreadable(Refusal refusal, Optional<RequestId> id) {
        return new Decoded.Unreadable(
                new Rejection(refusal.reason(), refusal.getMessage(), id, Optional.empty(), Optional.empty()));
    }
}
