package io.hellogpt.once.topology;

import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.Codecs;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** request_id to what the journal said before the request arrived. */
final class EarlyResponseStore {
    private final KeyValueStore<Bytes, byte[]> store;

    EarlyResponseStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    Optional<EarlyResponse> get(RequestId id) {
        return Optional.ofNullable(store.get(Keys.of(id))).map(Codecs.EARLY_RESPONSE::decode);
    }

    void put(RequestId id, byte[] encoded) {
        store.put(Keys.of(id), encoded);
    }

    void delete(RequestId id) {
        store.delete(Keys.of(id));
    }
}
