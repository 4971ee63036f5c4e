package io.hellogpt.once.ops;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.ops.meters.OpenWork;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.Stores;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Counts the open work in the stores this instance is active for.
 *
 * <p>Throws {@link org.apache.kafka.streams.errors.InvalidStateStoreException} while partitions move.
 */
record OpenWorkSource(KafkaStreams streams, Duration outcomeTimeout, Clock clock) implements Supplier<OpenWork> {
    @Override
    public OpenWork get() {
        ReadOnlyKeyValueStore<Bytes, byte[]> requests = store(Stores.REQUESTS_BY_ID);
        return OpenWork.count(clock.instant(), outcomeTimeout, store(Stores.TIMERS), id -> state(requests, id));
    }

    private static Optional<RequestState> state(ReadOnlyKeyValueStore<Bytes, byte[]> requests, RequestId id) {
        return Optional.ofNullable(requests.get(Bytes.wrap(id.value().getBytes(StandardCharsets.UTF_8))))
                .map(Codecs.STATE::decode);
    }

    /** All partitions together. */
    private ReadOnlyKeyValueStore<Bytes, byte[]> store(String name) {
        return streams.store(StoreQueryParameters.fromNameAndType(name, QueryableStoreTypes.keyValueStore()));
    }
}
