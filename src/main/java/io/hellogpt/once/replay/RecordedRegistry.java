package io.hellogpt.once.replay;

import io.hellogpt.once.schema.SchemaRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;

/** The schemas a registry gave when the capture was made. */
final class RecordedRegistry implements SchemaRegistry {
    private final Map<Integer, String> texts;
    private final Map<Integer, Schema> parsed = new ConcurrentHashMap<>();

    RecordedRegistry(Map<Integer, String> texts) {
        this.texts = Map.copyOf(texts);
    }

    @Override
    public Optional<Schema> byId(int id) {
        return Optional.ofNullable(texts.get(id))
                .map(text -> parsed.computeIfAbsent(id, unused -> new Schema.Parser().parse(text)));
    }
}
