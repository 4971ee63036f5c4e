package io.hellogpt.once.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ChatChunksTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void theChunksAreTheAnswerAgain() throws Exception {
        String text = "A lease 😀 ".repeat(100);
        ObjectNode answer = (ObjectNode) JSON.readTree("""
                {"id":"c-1","object":"chat.completion","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant"},
                "finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}""");
        ((ObjectNode) answer.at("/choices/0/message")).put("content", text);

        List<ObjectNode> chunks = ChatChunks.of(answer, true);

        assertThat(chunks).hasSizeGreaterThan(5).allSatisfy(chunk -> {
            assertThat(chunk.path("id").asText()).isEqualTo("c-1");
            assertThat(chunk.path("object").asText()).isEqualTo("chat.completion.chunk");
        });
        assertThat(chunks.getFirst().at("/choices/0/delta/role").asText()).isEqualTo("assistant");
        assertThat(chunks.stream()
                        .map(chunk -> chunk.at("/choices/0/delta/content").asText())
                        .collect(Collectors.joining()))
                .isEqualTo(text);
        assertThat(chunks)
                .noneMatch(chunk -> chunk.at("/choices/0/delta/content")
                        .asText()
                        .codePoints()
                        .anyMatch(point -> Character.getType(point) == Character.SURROGATE));
        assertThat(chunks.get(chunks.size() - 2).at("/choices/0/finish_reason").asText())
                .isEqualTo("stop");
        assertThat(chunks.getLast().path("choices")).isEmpty();
        assertThat(chunks.getLast().at("/usage/total_tokens").asInt()).isEqualTo(3);
    }

    @Test
    void toolCallsCarryTheirIndex() throws Exception {
        JsonNode answer = JSON.readTree("""
                {"id":"c-1","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[
                {"id":"a","type":"function","function":{"name":"sign","arguments":"{}"}},
                {"id":"b","type":"function","function":{"name":"send","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}""");

        List<ObjectNode> chunks = ChatChunks.of(answer, false);

        assertThat(chunks.stream().map(chunk -> chunk.at("/choices/0/delta/tool_calls/0")))
                .filteredOn(call -> !call.isMissingNode())
                .extracting(call ->
                        call.path("index").asInt() + " " + call.path("id").asText() + " "
                                + call.at("/function/name").asText())
                .containsExactly("0 a sign", "1 b send");
        assertThat(chunks.getLast().at("/choices/0/finish_reason").asText()).isEqualTo("tool_calls");
    }
}
