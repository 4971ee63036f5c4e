package io.hellogpt.once.schema;

import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.JournalRecord.Barrier;
import io.hellogpt.once.core.JournalRecord.CallResult;
import io.hellogpt.once.core.JournalRecord.Handover;
import java.time.Instant;
import java.util.List;

/** What waits in the store {@code early-responses}. */
final class EarlyResponseCodec {
    private EarlyResponseCodec() {}

    static Codec<EarlyResponse> create() {
        return new AvroCodec<>(
                io.hellogpt.once.schema.avro.EarlyResponse.getClassSchema(),
                EarlyResponseCodec::toAvro,
                EarlyResponseCodec::toCore);
    }

    private static io.hellogpt.once.schema.avro.EarlyResponse toAvro(EarlyResponse early) {
        JournalRecord record = switch (early) {
            case EarlyResponse.Result result -> result.result();
            case EarlyResponse.Running running -> new Handover(running.instance(), List.of(running.call()));
        };
        var avro = new io.hellogpt.once.schema.avro.EarlyResponse();
        avro.setResponse(JournalCodec.toAvro(record));
        avro.setExpiresAt(early.expiresAt());
        return avro;
    }

    private static EarlyResponse toCore(io.hellogpt.once.schema.avro.EarlyResponse avro) {
        Instant expiresAt = avro.getExpiresAt();
        return switch (JournalCodec.toCore(avro.getResponse())) {
            case CallResult result -> new EarlyResponse.Result(result, expiresAt);
            case Handover handover
            when handover.calls().size() == 1 ->
                new EarlyResponse.Running(handover.calls().getFirst(), handover.instance(), expiresAt);
            case Handover handover ->
                throw new CodecException("an early response is about one call, not "
                        + handover.calls().size());
            case Barrier barrier -> throw new CodecException("a barrier is not an early response");
        };
    }
}
