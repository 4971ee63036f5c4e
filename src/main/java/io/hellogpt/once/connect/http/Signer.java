package io.hellogpt.once.connect.http;

import io.hellogpt.once.connect.config.Route;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs as Standard Webhooks 1.0 has it: HMAC-SHA256 over id, time and body. */
final class Signer {
    private static final String ALGORITHM = "HmacSHA256";

    private final Route.Signing signing;

    Signer(Route.Signing signing) {
        this.signing = signing;
    }

    /** The value of {@code webhook-signature}: one signature per secret, so that either of two is found during a rotation. */
    String signature(String id, Instant at, byte[] body) {
        byte[] head = (id + "." + at.getEpochSecond() + ".").getBytes(StandardCharsets.UTF_8);
        return signing.keys().stream()
                .map(key -> "v1," + Base64.getEncoder().encodeToString(hmac(key, head, body)))
                .collect(Collectors.joining(" "));
    }

    private static byte[] hmac(byte[] key, byte[] head, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(head);
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA256", e);
        }
    }
}
