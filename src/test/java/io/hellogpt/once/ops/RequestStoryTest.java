package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.topology.Topics;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestStoryTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:40Z");

    @Test
    void anIssuedEffectWithoutOutcomeAsksForTheConnector() throws JsonProcessingException {
        RequestStory story = new RequestStory(
                "contract-1",
                Map.of(
                        Topics.LIFECYCLE_EVENTS,
                        List.of(event("DECIDED", "ACKNOWLEDGED", "as declared")),
                        Topics.EFFECTS,
                        List.of(json("{'effect_id':'contract-1:0.1','route':'signing','attempt':1,"
                                + "'issued_at':'2026-11-29T12:00:00Z'}"))));

        assertThat(story.tell(NOW))
                .contains(
                        "contract-1: ACKNOWLEDGED since 2026-11-29T12:00:00Z (40 s ago)",
                        "  effect contract-1:0.1 (signing), attempt 1, issued 40 s ago, no outcome yet: is the connector running?");
    }

    @Test
    void aFailedCallIsToldWithItsReason() throws JsonProcessingException {
        RequestStory story = new RequestStory(
                "contract-1",
                Map.of(Topics.LIFECYCLE_EVENTS, List.of(event("CALL_FAILED", "PENDING", "401 from the provider"))));

        assertThat(story.tell(NOW))
                .contains("  1 calls failed or were lost, the last one: 401 from the provider")
                .anyMatch(line -> line.contains("--url"));
    }

    @Test
    void anUnknownIdIsSaidToBeUnknown() {
        RequestStory story = new RequestStory("nobody", Map.of());

        assertThat(story.isKnown()).isFalse();
        assertThat(story.tell(NOW)).containsExactly("nobody: never accepted; no topic knows this id");
    }

    @Test
    void aRequestNobodyHasReadYetIsSaidToBeThere() throws JsonProcessingException {
        ObjectNode first = sent(4);
        ObjectNode second = sent(7);
        RequestStory unread = new RequestStory("contract-1", Map.of(Topics.REQUESTS, List.of(first)));
        RequestStory rejected = new RequestStory(
                "contract-1", Map.of(Topics.REQUESTS, List.of(first), Topics.REJECTED_REQUESTS, List.of(first)));
        RequestStory sentAgain = new RequestStory(
                "contract-1",
                Map.of(Topics.REQUESTS, List.of(first, second), Topics.REJECTED_REQUESTS, List.of(first)));

        assertThat(unread.isKnown()).isTrue();
        assertThat(unread.tell(NOW))
                .containsExactly(
                        "contract-1: not read yet, at requests-0@4 since 2026-11-29T12:00:00Z (40 s ago): is an instance running?");
        assertThat(rejected.tell(NOW)).first().isEqualTo("contract-1: never accepted");
        assertThat(sentAgain.tell(NOW)).first().asString().startsWith("contract-1: not read yet, at requests-0@7");
    }

    private static ObjectNode sent(long offset) throws JsonProcessingException {
        return json("{'source_topic':'requests','source_partition':0,'source_offset':%d,'at':'2026-11-29T12:00:00Z'}"
                .formatted(offset));
    }

    private static ObjectNode event(String type, String to, String detail) throws JsonProcessingException {
        return json("{'type':'%s','to':'%s','detail':'%s','at':'2026-11-29T12:00:00Z','attempt':1}"
                .formatted(type, to, detail));
    }

    private static ObjectNode json(String text) throws JsonProcessingException {
        return (ObjectNode) new ObjectMapper().readTree(text.replace('\'', '"'));
    }
}
