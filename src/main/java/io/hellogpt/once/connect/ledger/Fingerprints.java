package io.hellogpt.once.connect.ledger;

import io.hellogpt.once.core.Effect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What makes two records attempts of the same effect: route, payload and direction; not the attempt, not its times. */
public final class Fingerprints {
    private Fingerprints() {}

    /** SHA-256 in lower-case hex. Each field goes in with its length, so that no two different effects run together. */
    public static String of(Effect effect) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            update(digest, effect.route());
            update(digest, effect.payload());
            digest.update((byte) (effect.id().undo() ? 1 : 0));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void update(MessageDigest digest, String field) {
        byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
    }
}
