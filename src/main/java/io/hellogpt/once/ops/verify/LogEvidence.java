package io.hellogpt.once.ops.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.ops.verify.Evidence.Call;
import io.hellogpt.once.ops.verify.Evidence.Execution;
import io.hellogpt.once.ops.verify.Evidence.Logs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Reads the logs receivers and models write themselves: JSON Lines.
 *
 * <p>A receiver's line has {@code idempotency_key}, {@code request_id}, {@code executed} and {@code status}; a model's line has
 * {@code request_id}, {@code status} and {@code body_sha256}. Other fields are for people.
 */
public final class LogEvidence {
    private static final ObjectMapper JSON = new ObjectMapper();

    private LogEvidence() {}

    /**
     * Reads the files given; a kind with no file is not given.
     *
     * @throws IOException when a file cannot be read or has a line that is not such an object; the message names both
     */
    public static Logs read(List<Path> receivers, List<Path> models) throws IOException {
        return new Logs(read(receivers, LogEvidence::execution), read(models, (file, line) -> call(line)));
    }

    private static <T> Optional<List<T>> read(List<Path> files, BiFunction<Path, JsonNode, Optional<T>> entry)
            throws IOException {
        if (files.isEmpty()) {
            return Optional.empty();
        }
        List<T> entries = new ArrayList<>();
        for (Path file : files) {
            lines(file, line -> entry.apply(file, line).ifPresent(entries::add));
        }
        return Optional.of(entries);
    }

    private static void lines(Path file, java.util.function.Consumer<JsonNode> each) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            int number = 0;
            String line = reader.readLine();
            while (line != null) {
                number++;
                String next = reader.readLine();
                if (!line.isBlank()) {
                    each.accept(parse(file, number, line));
                }
                line = next;
            }
        }
    }

    private static JsonNode parse(Path file, int number, String line) throws IOException {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException notJson) {
            throw new IOException(file + " line " + number + " is not a JSON object", notJson);
        }
    }

    private static Optional<Execution> execution(Path file, JsonNode line) {
        // RFC 8941 strings stand in quotes; receivers log the header as it came.
        return text(line, "idempotency_key")
                .map(key -> key.replaceAll("^\"|\"$", ""))
                .map(key -> new Execution(
                        key,
                        text(line, "request_id"),
                        line.path("executed").asBoolean(false),
                        line.path("status").asInt(0),
                        file.toString()));
    }

    private static Optional<Call> call(JsonNode line) {
        return text(line, "request_id")
                .map(id -> new Call(
                        id,
                        line.path("status").asInt(0),
                        text(line, "body_sha256"),
                        text(line, "time").map(Instant::parse)));
    }

    private static Optional<String> text(JsonNode line, String field) {
        return Optional.ofNullable(line.get(field)).filter(JsonNode::isTextual).map(JsonNode::asText);
    }
}
