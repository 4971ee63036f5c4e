package io.hellogpt.once.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.schema.avro.CommittedResult;
import io.hellogpt.once.schema.avro.DuplicateRequest;
import io.hellogpt.once.schema.avro.EarlyResponse;
import io.hellogpt.once.schema.avro.Effect;
import io.hellogpt.once.schema.avro.EffectOutcome;
import io.hellogpt.once.schema.avro.FailedRequest;
import io.hellogpt.once.schema.avro.LifecycleEvent;
import io.hellogpt.once.schema.avro.ModelRequest;
import io.hellogpt.once.schema.avro.ModelResponse;
import io.hellogpt.once.schema.avro.OperatorCommand;
import io.hellogpt.once.schema.avro.RejectedRequest;
import io.hellogpt.once.schema.avro.Snapshot;
import io.hellogpt.once.schema.avro.StoredState;
import io.hellogpt.once.schema.avro.TaskStep;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * The JSON view of every record the system writes: for people, for tools, and for consumers that prefer JSON. Fields are named
 * as in {@code schemas/}; times are ISO 8601 strings; bytes are text where they are UTF-8 and base64 where they are not. Safe
 * for use by several threads.
 */
public final class RecordJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Map<Long, SingleObject<?>> READERS = readers();

    private RecordJson() {}

    /**
     * Reads a record of any type and any released version. A value that is a JSON object is taken as it is.
     *
     * @throws CodecException when it is neither
     */
    public static ObjectNode read(byte[] value) {
        if (!SingleObject.isSingleObject(value)) {
            return plain(value);
        }
        return object(reader(value).decode(value));
    }

    /**
     * The name of a record's type, e.g. {@code CommittedResult}.
     *
     * @throws CodecException when it is no record of the system in Avro
     */
    public static String type(byte[] value) {
        if (!SingleObject.isSingleObject(value)) {
            throw new CodecException("not an Avro record: it does not begin with the single-object marker");
        }
        return reader(value).schema().getName();
    }

    /**
     * The same record as JSON in UTF-8, for topics configured so.
     *
     * @throws CodecException as {@link #read}
     */
    public static byte[] json(byte[] value) {
        return CanonicalJson.text(read(value)).getBytes(StandardCharsets.UTF_8);
    }

    private static ObjectNode plain(byte[] value) {
        try {
            if (value != null && StrictJson.parse(value) instanceof ObjectNode object) {
                return object;
            }
        } catch (Refusal e) {
            throw new CodecException("neither an Avro record nor a JSON object: " + e.getMessage(), e);
        }
        throw new CodecException("neither an Avro record nor a JSON object");
    }

    private static SingleObject<?> reader(byte[] value) {
        long fingerprint = SingleObject.fingerprint(value);
        SingleObject<?> reader = READERS.get(fingerprint);
        if (reader == null) {
            throw new CodecException("an Avro record of an unknown schema, fingerprint %016x".formatted(fingerprint));
        }
        return reader;
    }

    private static ObjectNode object(IndexedRecord record) {
        ObjectNode object = JSON.objectNode();
        for (Schema.Field field : record.getSchema().getFields()) {
            object.set(field.name(), node(record.get(field.pos())));
        }
        return object;
    }

    private static JsonNode node(Object value) {
        return switch (value) {
            case null -> JSON.nullNode();
            case IndexedRecord record -> object(record);
            case List<?> list -> array(list);
            case Map<?, ?> map -> object(map);
            case ByteBuffer bytes -> JSON.textNode(text(bytes));
            case Instant time -> JSON.textNode(time.toString());
            case Long number -> JSON.numberNode(number);
            case Integer number -> JSON.numberNode(number);
            case Boolean flag -> JSON.booleanNode(flag);
            case Enum<?> symbol -> JSON.textNode(symbol.name());
            case String text -> JSON.textNode(text);
            default -> throw new IllegalStateException("no JSON for " + value.getClass());
        };
    }

    private static ArrayNode array(List<?> list) {
        ArrayNode array = JSON.arrayNode(list.size());
        list.forEach(item -> array.add(node(item)));
        return array;
    }

    private static ObjectNode object(Map<?, ?> map) {
        ObjectNode object = JSON.objectNode();
        map.forEach((name, item) -> object.set(String.valueOf(name), node(item)));
        return object;
    }

    private static String text(ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
        } catch (CharacterCodingException notText) {
            byte[] raw = new byte[bytes.remaining()];
            bytes.duplicate().get(raw);
            return Base64.getEncoder().encodeToString(raw);
        }
    }

    private static Map<Long, SingleObject<?>> readers() {
        Map<Long, SingleObject<?>> readers = new HashMap<>();
        for (Schema schema : currentSchemas()) {
            SingleObject<?> reader = new SingleObject<>(schema);
            reader.fingerprints().forEach(fingerprint -> readers.put(fingerprint, reader));
        }
        return Map.copyOf(readers);
    }

    /** Every record type, as this version writes it. */
    static List<Schema> currentSchemas() {
        return List.of(
                ModelRequest.getClassSchema(),
                ModelResponse.getClassSchema(),
                Snapshot.getClassSchema(),
                Effect.getClassSchema(),
                EffectOutcome.getClassSchema(),
                OperatorCommand.getClassSchema(),
                CommittedResult.getClassSchema(),
                FailedRequest.getClassSchema(),
                DuplicateRequest.getClassSchema(),
                RejectedRequest.getClassSchema(),
                LifecycleEvent.getClassSchema(),
                StoredState.getClassSchema(),
                TaskStep.getClassSchema(),
                EarlyResponse.getClassSchema());
    }
}
