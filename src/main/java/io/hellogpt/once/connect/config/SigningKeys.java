package io.hellogpt.once.connect.config;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Signatures by which a receiver can tell that a request is ours. */
final class SigningKeys {
    static final String SECRETS = "signing.secrets";

    private static final String PREFIX = "whsec_";
    /** The bounds of Standard Webhooks for symmetric secrets. */
    private static final int MIN_BYTES = 24;

    private static final int MAX_BYTES = 64;

    private SigningKeys() {}

    static void define(ConfigDef def) {
        new KeyGroup(def, "Signature")
                .optional(
                        SECRETS,
                        Type.PASSWORD,
                        "Sign requests as Standard Webhooks (version v1, HMAC-SHA256) with these secrets: base64 of 24 to 64 bytes,"
                                + " with or without whsec_ before it, separated by commas. Each adds a signature, so that a"
                                + " secret can be rotated: add the new one, change the receiver, take the old one away.");
    }

    /** The keys, or none when requests are not signed. */
    static Optional<Route.Signing> read(RouteSettings settings) {
        Optional<String> given = settings.secret(SECRETS);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        List<byte[]> keys = new ArrayList<>();
        for (String secret : Pattern.compile("[,\\s]+").split(given.get().strip())) {
            keys.add(key(settings, secret));
        }
        return Optional.of(new Route.Signing(keys));
    }

    private static byte[] key(RouteSettings settings, String secret) {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret);
        } catch (IllegalArgumentException notShown) {
            throw settings.refused(SECRETS, "one of them is not base64");
        }
        if (key.length < MIN_BYTES || key.length > MAX_BYTES) {
            throw settings.refused(
                    SECRETS, "each must be the base64 of " + MIN_BYTES + " to " + MAX_BYTES + " random bytes");
        }
        return key;
    }
}
