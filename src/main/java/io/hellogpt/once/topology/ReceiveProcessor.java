package io.hellogpt.once.topology;

import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Receive;
import io.hellogpt.once.core.ReceivedRequest;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.schema.Decoded;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.processor.api.Record;

/** Stage 1: decodes, routes and dedups {@code requests} and {@code requests-rerouted}. */
final class ReceiveProcessor extends StageProcessor {
    private final Receive receive;

    ReceiveProcessor(OnceTopology.Parts parts, Receive receive) {
        super(parts, Nodes.RECEIVE);
        this.receive = receive;
    }

    @Override
    void handle(Record<byte[], Message> record) {
        Original original = original(record);
        byte[] value = original.value() == null ? new byte[0] : original.value();
        switch (parts().decoder().decode(value)) {
            case Decoded.Unreadable(var rejection) -> reject(firstSeen(original, record), rejection);
            case Decoded.Request(var request, var fingerprint) -> {
                if (isMisplaced(request.id(), original.position())) {
                    reroute(request.id(), original, record);
                } else {
                    Original first = firstSeen(original, record);
                    receive(
                            first,
                            new ReceivedRequest(
                                    request,
                                    fingerprint,
                                    first.position(),
                                    receivedAt(record),
                                    Headers.trace(record.headers())));
                }
            }
        }
    }

    private void receive(Original original, ReceivedRequest received) {
        step(original, () -> settle(original, received));
    }

    private List<Fact> settle(Original original, ReceivedRequest received) {
        return switch (receive.receive(stores(), received, moment())) {
            case Receive.Reception.Settled(var facts) -> facts;
            case Receive.Reception.Accepted(var pending) -> {
                handOn(key(received.id()), new Message.Accepted(pending, original), Nodes.GENERATE);
                yield List.of();
            }
        };
    }

    /** A record that came back is not sent round again: its partition was chosen by this topology. */
    private boolean isMisplaced(RequestId id, SourcePosition position) {
        return position.topic().equals(Topics.REQUESTS)
                && !parts().settings().router().belongs(id, position.partition());
    }

    private void reroute(RequestId id, Original original, Record<byte[], Message> record) {
        // None of its other headers: they could make the copy larger than a topic takes.
        Record<byte[], Object> rerouted = new Record<>(
                key(id), original.value(), record.timestamp(), Headers.of(Headers.trace(record.headers())));
        Headers.write(rerouted.headers(), original.position(), Instant.ofEpochMilli(record.timestamp()));
        log().about(id);
        log().wrote();
        context().forward(rerouted, Nodes.sink(Topics.REQUESTS_REROUTED));
    }

    private static Original firstSeen(Original original, Record<byte[], Message> record) {
        if (!original.position().topic().equals(Topics.REQUESTS_REROUTED)) {
            return original;
        }
        return Headers.source(record.headers())
                .map(source -> new Original(source, original.key(), original.value()))
                .orElse(original);
    }

    private static Instant receivedAt(Record<byte[], Message> record) {
        return Instant.ofEpochMilli(Math.max(0, record.timestamp()));
    }
}
