package io.hellogpt.once.schema;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Snapshot;

/** Snapshots, in the topic {@code snapshots} and the store {@code snapshots-by-id}. */
final class SnapshotCodec {
    private SnapshotCodec() {}

    static Codec<Snapshot> create() {
        return new AvroCodec<>(
                io.hellogpt.once.schema.avro.Snapshot.getClassSchema(), SnapshotCodec::toAvro, SnapshotCodec::toCore);
    }

    static io.hellogpt.once.schema.avro.Snapshot toAvro(Snapshot snapshot) {
        var avro = new io.hellogpt.once.schema.avro.Snapshot();
        avro.setRequestId(snapshot.id().value());
        avro.setTurn(snapshot.turn());
        avro.setAttempt(snapshot.attempt());
        avro.setAnswer(AnswerFields.toAvro(snapshot.answer()));
        return avro;
    }

    private static Snapshot toCore(io.hellogpt.once.schema.avro.Snapshot avro) {
        return new Snapshot(
                new RequestId(avro.getRequestId()),
                avro.getTurn(),
                avro.getAttempt(),
                AnswerFields.toCore(avro.getAnswer()));
    }
}
