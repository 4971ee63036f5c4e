package io.hellogpt.once.connect.receiver;

import io.hellogpt.once.core.EffectId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Ids in the forms in which protocols carry them. */
public final class Identifiers {
    private Identifiers() {}

    /** Percent-encoded (RFC 3986): no two ids run together, and nothing of an id can end the part of a URL it stands in. */
    public static String inUrl(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
    }

    /**
     * An effect_id without full stops and without anything but atom characters: the same for every attempt, fit for a
     * {@code webhook-id}, in which a full stop would blur what is signed, and for the left side of a Message-ID (RFC 5322).
     */
    public static String atom(EffectId id) {
        return inUrl(id.toString()).replace(".", "%2E");
    }

    /** Whether {@code text} can stand in a header as it is: printable ASCII (RFC 9110, section 5.5). */
    public static boolean fitsHeader(String text) {
        return text.chars().allMatch(c -> c >= 0x20 && c <= 0x7e);
    }
}
