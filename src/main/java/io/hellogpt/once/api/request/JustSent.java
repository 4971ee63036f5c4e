package io.hellogpt.once.api.request;

import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was acknowledged here a moment ago and may not stand in the store yet, so that a client that repeats itself at once is answered
 * as a duplicate, and not with a second record. Only a shortcut: forgetting it costs a record on {@code duplicate-requests}.
 */
final class JustSent {
    private static final int MANY = 10_000;
    private static final Duration A_MOMENT = Duration.ofMinutes(1);

    private final Clock clock;
    private final Map<RequestId, Sent> entries = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RequestId, Sent> eldest) {
            return size() > MANY;
        }
    };

    record Sent(Fingerprint fingerprint, SourcePosition position, Instant at) {}

    JustSent(Clock clock) {
        this.clock = clock;
    }

    synchronized void add(RequestId id, Fingerprint fingerprint, SourcePosition position) {
        entries.put(id, new Sent(fingerprint, position, clock.instant()));
    }

    synchronized Optional<Sent> find(RequestId id) {
        Sent entry = entries.get(id);
        if (entry != null && entry.at().plus(A_MOMENT).isBefore(clock.instant())) {
            entries.remove(id);
            return Optional.empty();
        }
        return Optional.ofNullable(entry);
    }
}
