package io.hellogpt.once.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.Caller;
import io.hellogpt.once.api.EventFeed;
import io.hellogpt.once.api.Role;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.RequestId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The same content on both sides of a cut between two stretches of time. */
class ChatKeysTest {
    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final Instant CUT = Instant.parse("2026-03-01T12:00:00Z");
    private static final Caller ANN = new Caller("ann", Set.of(Role.SUBMIT));
    private static final Fingerprint CONTENT = new Fingerprint("ab".repeat(32));

    private final Map<RequestId, Instant> sent = new HashMap<>();
    private final Map<RequestId, Instant> heard = new HashMap<>();

    @Test
    void whatWasSentBeforeTheCutAndNotHeardOfYetKeepsItsId() {
        String first = key(CUT.minusMillis(5));
        sent.put(new RequestId(first), CUT.minusMillis(5));

        assertThat(key(CUT.plusMillis(5))).isEqualTo(first);
    }

    @Test
    void whatWasHeardOfBeforeTheCutKeepsItsId() {
        String first = key(CUT.minusMillis(5));
        heard.put(new RequestId(first), CUT.minusMillis(5));

        assertThat(key(CUT.plusMillis(5))).isEqualTo(first);
    }

    @Test
    void whatIsPastItsWindowGetsAnotherId() {
        String first = key(CUT.minusMillis(5));
        sent.put(new RequestId(first), CUT.minusMillis(5));

        assertThat(key(CUT.plus(WINDOW).minusMillis(1))).isNotEqualTo(first);
    }

    private String key(Instant now) {
        return new ChatKeys(WINDOW, new Heard(), Clock.fixed(now, ZoneOffset.UTC))
                .keyless(ANN, CONTENT, id -> Optional.ofNullable(sent.get(id)));
    }

    private final class Heard implements EventFeed {
        @Override
        public Watch watch(RequestId id) {
            throw new UnsupportedOperationException("nobody listens here");
        }

        @Override
        public List<ObjectNode> recent(int limit, Optional<String> status) {
            return List.of();
        }

        @Override
        public Optional<Instant> acceptedAt(RequestId id) {
            return Optional.ofNullable(heard.get(id));
        }
    }
}
