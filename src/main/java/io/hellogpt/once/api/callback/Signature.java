package io.hellogpt.once.api.callback;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signature of a callback after Standard Webhooks: HMAC-SHA256 over {@code <webhook-id>.<webhook-timestamp>.<body>}, base64, marked
 * {@code v1,}. Several may stand in the header and several secrets may be valid, so that a secret can be changed without a gap.
 *
 * @param header the value of {@code webhook-signature}
 */
record Signature(String id, String timestamp, byte[] body, String header) {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String VERSION = "v1,";

    /** A secret as senders are given it: {@code whsec_} and base64. */
    record Secret(byte[] key) {
        private static final String PREFIX = "whsec_";
        private static final int SHORTEST = 16;

        /** @throws IllegalArgumentException when it is none; the message does not quote it */
        static Secret of(String text) {
            byte[] key;
            try {
                key = Base64.getDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text);
            } catch (IllegalArgumentException notBase64) {
                throw new IllegalArgumentException("a secret must be whsec_ and base64");
            }
            if (key.length < SHORTEST) {
                throw new IllegalArgumentException("a secret must have at least " + SHORTEST + " bytes");
            }
            return new Secret(key);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Secret that && MessageDigest.isEqual(key, that.key);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(key);
        }

        @Override
        public String toString() {
            return "Secret[hidden]";
        }
    }

    /** Whether one of the secrets signed this. Takes the same time whichever it is, and whether it is one of them. */
    boolean isBy(Collection<Secret> secrets) {
        List<byte[]> claimed = Arrays.stream(header.split(" "))
                .filter(part -> part.startsWith(VERSION))
                .map(part -> decoded(part.substring(VERSION.length())))
                .flatMap(Optional::stream)
                .toList();
        boolean found = false;
        for (Secret secret : secrets) {
            byte[] right = hmac(secret);
            for (byte[] signature : claimed) {
                found |= MessageDigest.isEqual(right, signature);
            }
        }
        return found;
    }

    private static Optional<byte[]> decoded(String base64) {
        try {
            return Optional.of(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    private byte[] hmac(Secret secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.key(), ALGORITHM));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
