package io.hellogpt.once.api.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Cuts a whole answer into the chunks of a stream, as a client that asked for one expects them. */
final class ChatChunks {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PIECE = 256;

    private final JsonNode answer;
    private final List<ObjectNode> chunks = new ArrayList<>();

    private ChatChunks(JsonNode answer) {
        this.answer = answer;
    }

    /** @param usage with the tokens used in a last chunk */
    static List<ObjectNode> of(JsonNode answer, boolean usage) {
        ChatChunks all = new ChatChunks(answer);
        answer.path("choices").forEach(all::choice);
        if (usage) {
            ObjectNode last = all.envelope();
            last.putArray("choices");
            last.set("usage", answer.path("usage"));
            all.chunks.add(last);
        }
        return all.chunks;
    }

    private void choice(JsonNode choice) {
        int index = choice.path("index").asInt();
        JsonNode message = choice.path("message");
        ObjectNode first = JSON.createObjectNode();
        first.put("role", message.path("role").asText("assistant"));
        first.put("content", "");
        delta(index, first);
        pieces(message.path("content").asText("")).forEach(piece -> delta(index, text("content", piece)));
        pieces(message.path("refusal").asText("")).forEach(piece -> delta(index, text("refusal", piece)));
        int number = 0;
        for (JsonNode call : message.path("tool_calls")) {
            ObjectNode delta = JSON.createObjectNode();
            ObjectNode indexed = delta.putArray("tool_calls").addObject();
            indexed.put("index", number++);
            call.properties().forEach(field -> indexed.set(field.getKey(), field.getValue()));
            delta(index, delta);
        }
        finish(index, choice.path("finish_reason").asText("stop"));
    }

    private static ObjectNode text(String name, String piece) {
        return JSON.createObjectNode().put(name, piece);
    }

    private void delta(int index, ObjectNode delta) {
        ObjectNode chunk = envelope();
        ObjectNode choice = chunk.putArray("choices").addObject();
        choice.put("index", index);
        choice.set("delta", delta);
        choice.putNull("logprobs");
        choice.putNull("finish_reason");
        chunks.add(chunk);
    }

    private void finish(int index, String reason) {
        delta(index, JSON.createObjectNode());
        ((ObjectNode) chunks.getLast().path("choices").path(0)).put("finish_reason", reason);
    }

    private ObjectNode envelope() {
        ObjectNode chunk = JSON.createObjectNode();
        chunk.put("id", answer.path("id").asText());
        chunk.put("object", "chat.completion.chunk");
        chunk.put("created", answer.path("created").asLong());
        chunk.put("model", answer.path("model").asText());
        if (answer.hasNonNull("system_fingerprint")) {
            chunk.set("system_fingerprint", answer.get("system_fingerprint"));
        }
        return chunk;
    }

    /** Never between the halves of a surrogate pair: each piece is a text of its own. */
    private static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int to = Math.min(text.length(), from + PIECE);
            if (to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) {
                to++;
            }
            pieces.add(text.substring(from, to));
            from = to;
        }
        return pieces;
    }
}
