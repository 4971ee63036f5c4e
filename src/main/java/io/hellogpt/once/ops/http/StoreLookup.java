package io.hellogpt.once.ops.http;

import io.hellogpt.once.api.RequestLookup;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.Stores;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Looks a request up in this instance's stores, or names the instance that has it (interactive queries). */
final class StoreLookup implements RequestLookup {
    private final KafkaStreams streams;
    private final HostInfo self;

    StoreLookup(KafkaStreams streams, HostInfo self) {
        this.streams = streams;
        this.self = self;
    }

    @Override
    public Found find(RequestId id) {
        try {
            Optional<KeyQueryMetadata> owner = owner(id);
            if (owner.isEmpty()) {
                return new Unavailable("partitions are being assigned");
            }
            if (!owner.get().activeHost().equals(self)) {
                return new Elsewhere(peer(owner.get().activeHost()));
            }
            return known(id, owner.get().partition(), false)
                    .<Found>map(known -> known)
                    .orElseGet(Unknown::new);
        } catch (InvalidStateStoreException notOpen) {
            return new Unavailable("the store of this request's partition is being restored or moved");
        } catch (IllegalStateException notRunning) {
            return new Unavailable("the instance is starting or stopping");
        }
    }

    @Override
    public Optional<Known> stale(RequestId id) {
        try {
            return owner(id).flatMap(metadata -> known(id, metadata.partition(), true));
        } catch (InvalidStateStoreException | IllegalStateException nothingHere) {
            return Optional.empty();
        }
    }

    @Override
    public List<Peer> standbys(RequestId id) {
        try {
            return owner(id).stream()
                    .flatMap(metadata -> metadata.standbyHosts().stream())
                    .filter(host -> !host.equals(self))
                    .map(StoreLookup::peer)
                    .toList();
        } catch (InvalidStateStoreException | IllegalStateException unknown) {
            return List.of();
        }
    }

    @Override
    public List<Peer> others() {
        try {
            return streams.metadataForAllStreamsClients().stream()
                    .map(StreamsMetadata::hostInfo)
                    .filter(host -> !host.equals(self) && !host.equals(HostInfo.unavailable()))
                    .distinct()
                    .map(StoreLookup::peer)
                    .toList();
        } catch (IllegalStateException notRunning) {
            return List.of();
        }
    }

    private Optional<KeyQueryMetadata> owner(RequestId id) {
        KeyQueryMetadata owner =
                streams.queryMetadataForKey(Stores.REQUESTS_BY_ID, bytes(id), new ByteArraySerializer());
        return Optional.ofNullable(owner).filter(known -> !known.equals(KeyQueryMetadata.NOT_AVAILABLE));
    }

    private Optional<Known> known(RequestId id, int partition, boolean stale) {
        Bytes key = Bytes.wrap(bytes(id));
        return Optional.ofNullable(
                        store(Stores.REQUESTS_BY_ID, partition, stale).get(key))
                .map(Codecs.STATE::decode)
                .map(state -> new Known(
                        state,
                        Optional.ofNullable(store(Stores.SNAPSHOTS_BY_ID, partition, stale)
                                        .get(key))
                                .map(Codecs.SNAPSHOT::decode)));
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition, boolean stale) {
        StoreQueryParameters<ReadOnlyKeyValueStore<Bytes, byte[]>> wanted =
                StoreQueryParameters.<ReadOnlyKeyValueStore<Bytes, byte[]>>fromNameAndType(
                                name, QueryableStoreTypes.keyValueStore())
                        .withPartition(partition);
        return streams.store(stale ? wanted.enableStaleStores() : wanted);
    }

    private static Peer peer(HostInfo host) {
        return new Peer(host.host(), host.port());
    }

    private static byte[] bytes(RequestId id) {
        return id.value().getBytes(StandardCharsets.UTF_8);
    }
}
