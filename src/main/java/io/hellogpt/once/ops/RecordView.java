package io.hellogpt.once.ops;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.schema.RecordJson;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Shows a record the system wrote: all of it as JSON, or one line without payloads. */
public final class RecordView {
    /** What a line shows, in this order, where the record has it. */
    private static final List<String> FIELDS = List.of(
            "kind",
            "type",
            "effect_id",
            "name",
            "route",
            "attempt",
            "result",
            "from",
            "to",
            "status",
            "stage",
            "reason",
            "decision",
            "detail",
            "reference",
            "barrier_id");

    private RecordView() {}

    /** One line of JSON with every field. */
    public static String json(ConsumerRecord<byte[], byte[]> record) {
        return RecordJson.read(record.value()).toString();
    }

    /** Time, request_id, then what matters. */
    public static String line(ConsumerRecord<byte[], byte[]> record) {
        ObjectNode node = RecordJson.read(record.value());
        String fields = FIELDS.stream()
                .filter(name ->
                        node.hasNonNull(name) && !node.get(name).asText().isEmpty())
                .map(name -> name + "=" + shown(node.get(name).asText()))
                .collect(Collectors.joining(" "));
        return "%s  %-40s  %s%s"
                .formatted(
                        Instant.ofEpochMilli(record.timestamp()),
                        node.path("request_id").asText("-"),
                        fields,
                        answer(node) + effects(node));
    }

    private static String answer(ObjectNode node) {
        JsonNode answer = node.hasNonNull("answer")
                ? node.get("answer")
                : node.path("snapshot").path("answer");
        return answer.isMissingNode()
                ? ""
                : " model=%s output_tokens=%s sha256=%.12s"
                        .formatted(
                                answer.path("model").asText(),
                                answer.path("output_tokens").asText(),
                                answer.path("body_sha256").asText());
    }

    private static String effects(ObjectNode node) {
        StringBuilder all = new StringBuilder();
        node.path("effects")
                .forEach(effect -> all.append(' ')
                        .append(effect.path("name").asText())
                        .append('=')
                        .append(effect.path("status").asText()));
        return all.toString();
    }

    private static String shown(String text) {
        return text.indexOf(' ') < 0 ? text : '"' + text + '"';
    }
}
