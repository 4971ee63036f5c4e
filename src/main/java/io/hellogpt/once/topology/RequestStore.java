package io.hellogpt.once.topology;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.schema.Codecs;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** request_id to state: the dedup store. */
final class RequestStore {
    private final KeyValueStore<Bytes, byte[]> store;

    RequestStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    Optional<RequestState> get(RequestId id) {
        return Optional.ofNullable(store.get(Keys.of(id))).map(Codecs.STATE::decode);
    }

    void put(RequestId id, byte[] encoded) {
        store.put(Keys.of(id), encoded);
    }

    void delete(RequestId id) {
        store.delete(Keys.of(id));
    }
}
