package io.hellogpt.once.ops;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.RequestLookup;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Stores;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Looks a request up in this instance's store, or names the instance that has it. */
final class StoreLookup implements RequestLookup {
    private final KafkaStreams streams;
    private final HostInfo self;

    StoreLookup(KafkaStreams streams, HostInfo self) {
        this.streams = streams;
        this.self = self;
    }

    @Override
    public Found find(String requestId) {
        byte[] key = requestId.getBytes(StandardCharsets.UTF_8);
        try {
            KeyQueryMetadata owner = streams.queryMetadataForKey(Stores.REQUESTS_BY_ID, key, new ByteArraySerializer());
            if (owner == null || owner.equals(KeyQueryMetadata.NOT_AVAILABLE)) {
                return new Unavailable("partitions are being assigned; ask again");
            }
            if (!owner.activeHost().equals(self)) {
                return new Elsewhere(
                        owner.activeHost().host(), owner.activeHost().port());
            }
            byte[] state = store(owner.partition()).get(Bytes.wrap(key));
            return state == null ? new Unknown() : new Here(withoutPayloads(RecordJson.read(state)));
        } catch (InvalidStateStoreException moving) {
            return new Unavailable("the store is not open yet; ask again");
        }
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> store(int partition) {
        return streams.store(StoreQueryParameters.<ReadOnlyKeyValueStore<Bytes, byte[]>>fromNameAndType(
                        Stores.REQUESTS_BY_ID, QueryableStoreTypes.keyValueStore())
                .withPartition(partition));
    }

    private static ObjectNode withoutPayloads(ObjectNode state) {
        state.remove("request");
        for (JsonNode step : state.path("steps")) {
            ((ObjectNode) step).remove("payload");
            if (step.get("compensation") instanceof ObjectNode compensation) {
                compensation.remove("payload");
            }
        }
        return state;
    }
}
