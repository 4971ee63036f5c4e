package io.hellogpt.once.schema;

import static io.hellogpt.once.schema.Nullable.required;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.JournalRecord.Answered;
import io.hellogpt.once.core.JournalRecord.Barrier;
import io.hellogpt.once.core.JournalRecord.CallFailed;
import io.hellogpt.once.core.JournalRecord.CallResult;
import io.hellogpt.once.core.JournalRecord.Handover;
import io.hellogpt.once.core.JournalRecord.RunningCall;
import io.hellogpt.once.core.Life;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.avro.CallErrorKind;
import io.hellogpt.once.schema.avro.ModelResponse;
import io.hellogpt.once.schema.avro.ModelResponseKind;
import java.util.List;
import java.util.Optional;

/** Records of the journal, topic {@code model-responses}. */
final class JournalCodec {
    private static final Symbols<CallError.Kind, CallErrorKind> KINDS =
            new Symbols<>("kind of call error", CallError.Kind.class, CallErrorKind.class);

    private JournalCodec() {}

    static Codec<JournalRecord> create() {
        return new AvroCodec<>(ModelResponse.getClassSchema(), JournalCodec::toAvro, JournalCodec::toCore);
    }

    static ModelResponse toAvro(JournalRecord record) {
        ModelResponse avro = new ModelResponse();
        avro.setRunningCalls(List.of());
        switch (record) {
            case Answered answered -> {
                about(avro, ModelResponseKind.ANSWER, answered);
                avro.setAt(answered.answer().finishedAt());
                avro.setAnswer(AnswerFields.toAvro(answered.answer()));
            }
            case CallFailed failed -> {
                about(avro, ModelResponseKind.ERROR, failed);
                avro.setAt(failed.at());
                avro.setError(error(failed.error()));
            }
            case Barrier barrier -> {
                avro.setKind(ModelResponseKind.BARRIER);
                avro.setBarrierId(barrier.barrierId());
            }
            case Handover handover -> {
                avro.setKind(ModelResponseKind.HANDOVER);
                avro.setInstance(handover.instance());
                avro.setRunningCalls(
                        handover.calls().stream().map(JournalCodec::running).toList());
            }
        }
        return avro;
    }

    static JournalRecord toCore(ModelResponse avro) {
        ModelResponseKind kind = avro.getKind();
        return switch (kind) {
            case ANSWER, ERROR -> result(avro);
            case BARRIER -> new Barrier(required(avro.getBarrierId(), "barrier_id", kind));
            case HANDOVER ->
                new Handover(
                        required(avro.getInstance(), "instance", kind),
                        avro.getRunningCalls().stream()
                                .map(JournalCodec::running)
                                .toList());
            case UNRECOGNISED -> throw unknownKind();
        };
    }

    private static CallResult result(ModelResponse avro) {
        ModelResponseKind kind = avro.getKind();
        RequestId id = new RequestId(required(avro.getRequestId(), "request_id", kind));
        Life life = new Life(
                required(avro.getRequestReceivedAt(), "request_received_at", kind), fingerprint(avro.getFingerprint()));
        return kind == ModelResponseKind.ANSWER
                ? new Answered(
                        id,
                        avro.getTurn(),
                        avro.getAttempt(),
                        life,
                        AnswerFields.toCore(required(avro.getAnswer(), "answer", kind)))
                : new CallFailed(
                        id,
                        avro.getTurn(),
                        avro.getAttempt(),
                        life,
                        error(required(avro.getError(), "error", kind)),
                        required(avro.getAt(), "at", kind));
    }

    private static CodecException unknownKind() {
        return new CodecException("unknown kind of journal record: it was written by a later version; upgrade this one"
                + " before it reads such records");
    }

    private static void about(ModelResponse avro, ModelResponseKind kind, CallResult result) {
        avro.setKind(kind);
        avro.setRequestId(result.id().value());
        avro.setTurn(result.turn());
        avro.setAttempt(result.attempt());
        avro.setRequestReceivedAt(result.life().receivedAt());
        avro.setFingerprint(hex(result.life()));
    }

    private static io.hellogpt.once.schema.avro.CallError error(CallError error) {
        var avro = new io.hellogpt.once.schema.avro.CallError();
        avro.setKind(KINDS.avro(error.kind()));
        avro.setMessage(error.message());
        avro.setRetryAfterMs(Nullable.millis(error.retryAfter()));
        return avro;
    }

    private static CallError error(io.hellogpt.once.schema.avro.CallError avro) {
        return new CallError(KINDS.core(avro.getKind()), avro.getMessage(), Nullable.duration(avro.getRetryAfterMs()));
    }

    private static io.hellogpt.once.schema.avro.RunningCall running(RunningCall call) {
        var avro = new io.hellogpt.once.schema.avro.RunningCall();
        avro.setRequestId(call.id().value());
        avro.setAttempt(call.attempt());
        avro.setDeadline(call.deadline());
        avro.setRequestReceivedAt(call.life().map(Life::receivedAt).orElse(null));
        avro.setFingerprint(call.life().map(JournalCodec::hex).orElse(null));
        return avro;
    }

    private static RunningCall running(io.hellogpt.once.schema.avro.RunningCall avro) {
        Optional<Life> life = Optional.ofNullable(avro.getRequestReceivedAt())
                .map(receivedAt -> new Life(receivedAt, fingerprint(avro.getFingerprint())));
        return new RunningCall(new RequestId(avro.getRequestId()), avro.getAttempt(), avro.getDeadline(), life);
    }

    private static String hex(Life life) {
        return life.fingerprint().map(Fingerprint::hex).orElse(null);
    }

    private static Optional<Fingerprint> fingerprint(String hex) {
        return Optional.ofNullable(hex).map(Fingerprint::new);
    }
}
