package io.hellogpt.once.ops.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class RecentTest {
    private final Recent recent = new Recent();
    private long offset;

    @Test
    void whatWasKeptIsReadInItsOrderWhenSomebodyAsks() {
        for (int number = 0; number < 3; number++) {
            add(Topics.REJECTED_REQUESTS, "r-" + number, "");
        }
        add(Topics.REJECTED_REQUESTS, "r-0", "");
        assertThat(recent.unread()).isEqualTo(4);

        assertThat(recent.last(2, Optional.empty()))
                .extracting(request -> request.path("request_id").asText())
                .containsExactly("r-0", "r-2");
        assertThat(recent.last(1, Optional.empty()).getFirst().path("rejected").asInt())
                .isEqualTo(2);
        assertThat(recent.unread()).isZero();
    }

    /** Rejected records bring megabytes along: twenty thousand of them must not wait in memory for whoever may ask. */
    @Test
    void aLargeOneIsNotKept() {
        add(Topics.REJECTED_REQUESTS, "small", "");
        add(Topics.REJECTED_REQUESTS, "large", "x".repeat(Recent.SMALL_BYTES));

        assertThat(recent.unread()).isZero();
        assertThat(recent.last(2, Optional.empty()))
                .extracting(request -> request.path("request_id").asText())
                .containsExactly("large", "small");
    }

    @Test
    void noMoreAreKeptThanCouldBeShown() {
        for (int number = 0; number < Recent.UNREAD + 10; number++) {
            add(Topics.REJECTED_REQUESTS, "r-" + number, "");
        }
        assertThat(recent.unread()).isEqualTo(Recent.UNREAD);
    }

    private void add(String topic, String id, String more) {
        byte[] value =
                "{\"request_id\":\"%s\",\"more\":\"%s\"}".formatted(id, more).getBytes(StandardCharsets.UTF_8);
        recent.add(new ConsumerRecord<>(topic, 0, offset++, id.getBytes(StandardCharsets.UTF_8), value));
    }
}
