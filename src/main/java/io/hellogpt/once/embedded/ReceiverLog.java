package io.hellogpt.once.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The receivers' own account of every request, one JSON object per line:
 *
 * <pre>{"time", "path", "idempotency_key", "request_id", "body_sha256", "executed", "status", "fault", "id"}</pre>
 *
 * <p>{@code executed} is true when the request took effect, and false for a repeated key and for every refusal; {@code status} is what
 * was, or would have been, answered; {@code fault} is there when the receiver misbehaved on purpose. A verifier reads this rather than
 * believe the system under test.
 */
final class ReceiverLog {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** One line. */
    record Entry(
            String path,
            String key,
            String requestId,
            String bodySha256,
            boolean executed,
            int status,
            String fault,
            String id) {}

    private final Path file;

    ReceiverLog(Path file) {
        this.file = file;
    }

    /** Written before the answer leaves, so that no caller can know of an effect that the log does not. */
    synchronized void append(Entry entry) {
        ObjectNode line = JSON.createObjectNode();
        line.put("time", Instant.now().toString());
        line.put("path", entry.path());
        line.put("idempotency_key", entry.key());
        line.put("request_id", entry.requestId());
        line.put("body_sha256", entry.bodySha256());
        line.put("executed", entry.executed());
        line.put("status", entry.status());
        line.put("fault", entry.fault());
        line.put("id", entry.id());
        try {
            Files.writeString(
                    file, line + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new EmbeddedException("the receivers' log " + file + " could not be written", e);
        }
    }

    /** What was executed before, in order; empty for a new log. */
    List<Entry> executed() {
        if (Files.notExists(file)) {
            return List.of();
        }
        try {
            List<Entry> executed = new ArrayList<>();
            for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                JsonNode json = JSON.readTree(line);
                if (json.path("executed").asBoolean()) {
                    executed.add(entry(json));
                }
            }
            return executed;
        } catch (IOException e) {
            throw new EmbeddedException("the receivers' log " + file + " could not be read", e);
        }
    }

    private static Entry entry(JsonNode json) {
        return new Entry(
                json.path("path").asText(),
                json.path("idempotency_key").asText(),
                json.path("request_id").asText(),
                json.path("body_sha256").asText(),
                true,
                json.path("status").asInt(),
                json.path("fault").asText(null),
                json.path("id").asText());
    }
}
