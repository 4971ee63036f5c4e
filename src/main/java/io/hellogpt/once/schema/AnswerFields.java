package io.hellogpt.once.schema;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.Usage;
import java.nio.ByteBuffer;
import java.util.Optional;

/** An answer, as it stands inside snapshots and journal records. */
final class AnswerFields {
    private AnswerFields() {}

    static io.hellogpt.once.schema.avro.Answer toAvro(Answer answer) {
        var avro = new io.hellogpt.once.schema.avro.Answer();
        avro.setBody(ByteBuffer.wrap(answer.body()));
        avro.setContentType(answer.contentType());
        avro.setBodySha256(answer.bodySha256());
        avro.setProvider(answer.provider());
        avro.setModel(answer.model());
        avro.setParametersSent(answer.parametersSent());
        avro.setInputTokens(answer.usage().inputTokens());
        avro.setOutputTokens(answer.usage().outputTokens());
        avro.setCostNanos(answer.cost().nanos());
        avro.setCurrency(answer.cost().currency());
        avro.setPriceTable(answer.cost().priceTable());
        avro.setProviderRequestId(answer.providerRequestId().orElse(null));
        avro.setStartedAt(answer.startedAt());
        avro.setFinishedAt(answer.finishedAt());
        return avro;
    }

    static Answer toCore(io.hellogpt.once.schema.avro.Answer avro) {
        return new Answer(
                bytes(avro.getBody()),
                avro.getContentType(),
                avro.getBodySha256(),
                avro.getProvider(),
                avro.getModel(),
                avro.getParametersSent(),
                new Usage(avro.getInputTokens(), avro.getOutputTokens()),
                new Cost(avro.getCostNanos(), avro.getCurrency(), avro.getPriceTable()),
                Optional.ofNullable(avro.getProviderRequestId()),
                avro.getStartedAt(),
                avro.getFinishedAt());
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
