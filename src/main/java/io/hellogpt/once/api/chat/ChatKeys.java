package io.hellogpt.once.api.chat;

import io.hellogpt.once.api.Caller;
import io.hellogpt.once.api.EventFeed;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.RequestId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * The request_id of a client that sends no Idempotency-Key. With a window, the same content from the same caller within it gets the same
 * id, on every instance: the id is made of caller, content and the stretch of time, and a request heard of in the stretch before keeps
 * its id, or sent here and not heard of yet. Without one, every such request is a new one.
 *
 * @param window zero for none
 */
public record ChatKeys(Duration window, EventFeed feed, Clock clock) {
    private static final int HEX_DIGITS = 32;

    /** @param sentAt when a request was acknowledged here, if that was a moment ago */
    String keyless(Caller caller, Fingerprint fingerprint, Function<RequestId, Optional<Instant>> sentAt) {
        if (window.isZero()) {
            return "chat-" + UUID.randomUUID();
        }
        Instant now = clock.instant();
        long stretch = now.toEpochMilli() / window.toMillis();
        String before = id(caller, fingerprint, stretch - 1);
        RequestId earlier = new RequestId(before);
        boolean heard = feed.acceptedAt(earlier)
                .or(() -> sentAt.apply(earlier))
                .filter(accepted -> accepted.isAfter(now.minus(window)))
                .isPresent();
        return heard ? before : id(caller, fingerprint, stretch);
    }

    private static String id(Caller caller, Fingerprint fingerprint, long stretch) {
        String content = caller.name() + "\n" + fingerprint.hex() + "\n" + stretch;
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "chat-" + HexFormat.of().formatHex(digest).substring(0, HEX_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
