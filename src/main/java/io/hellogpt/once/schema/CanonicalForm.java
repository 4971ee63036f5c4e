package io.hellogpt.once.schema;

import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.ModelRequest.EffectTemplate;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which fields make two requests the same request, and how they are compared. This is the one place that says so.
 *
 * <p>What counts: {@code model}, {@code messages}, {@code parameters}, {@code policy} and each effect template, in their order,
 * with {@code name}, {@code route}, {@code stage}, {@code payload}, {@code pointers}, {@code compensation} and {@code pivot}.
 *
 * <p>What does not: {@code request_id} (it is what is compared), {@code created_at}, {@code deadline} and {@code metadata}
 * (a producer that sends again may well change them), record headers, and how the request was encoded.
 *
 * <p>How: those fields become one JSON object in the form of {@link CanonicalJson}, where an omitted field and its default are
 * the same, and {@code input} is the one message it stands for. The fingerprint is the SHA-256 of its UTF-8 bytes. The form is
 * stored in every state: changing it would make every request in the dedup window a conflict with itself.
 */
public final class CanonicalForm {
    private CanonicalForm() {}

    /**
     * The fingerprint of a request, however its JSON texts are spelled.
     *
     * @throws IllegalArgumentException when one of its JSON texts is not JSON
     */
    public static Fingerprint fingerprint(ModelRequest request) {
        try {
            return fingerprintOfCanonical(canonical(request));
        } catch (Refusal e) {
            throw new IllegalArgumentException("request " + request.id() + ": " + e.getMessage(), e);
        }
    }

    /** The fingerprint of a request whose JSON texts are canonical already. */
    static Fingerprint fingerprintOfCanonical(ModelRequest request) {
        byte[] bytes = text(request).getBytes(StandardCharsets.UTF_8);
        return new Fingerprint(HexFormat.of().formatHex(sha256().digest(bytes)));
    }

    private static String text(ModelRequest request) {
        StringBuilder out = new StringBuilder("{\"effects\":[");
        for (Iterator<EffectTemplate> effects = request.effects().iterator(); effects.hasNext(); ) {
            append(effects.next(), out);
            if (effects.hasNext()) {
                out.append(',');
            }
        }
        out.append("],\"messages\":").append(request.messages()).append(",\"model\":");
        CanonicalJson.appendString(request.model(), out);
        out.append(",\"parameters\":").append(request.parameters()).append(",\"policy\":");
        CanonicalJson.appendString(request.policy(), out);
        return out.append('}').toString();
    }

    private static void append(EffectTemplate effect, StringBuilder out) {
        out.append("{\"compensation\":");
        effect.compensation().ifPresentOrElse(undo -> append(undo, out), () -> out.append("null"));
        out.append(",\"name\":");
        CanonicalJson.appendString(effect.name(), out);
        out.append(",\"payload\":").append(effect.payload());
        out.append(",\"pivot\":").append(effect.pivot());
        out.append(",\"pointers\":");
        append(effect.pointers(), out);
        out.append(",\"route\":");
        CanonicalJson.appendString(effect.route(), out);
        out.append(",\"stage\":").append(effect.stage()).append('}');
    }

    private static void append(Compensation undo, StringBuilder out) {
        out.append("{\"payload\":").append(undo.payload()).append(",\"route\":");
        CanonicalJson.appendString(undo.route(), out);
        out.append('}');
    }

    private static void append(Map<String, String> pointers, StringBuilder out) {
        char before = '{';
        for (Map.Entry<String, String> pointer : new TreeMap<>(pointers).entrySet()) {
            out.append(before);
            CanonicalJson.appendString(pointer.getKey(), out);
            out.append(':');
            CanonicalJson.appendString(pointer.getValue(), out);
            before = ',';
        }
        out.append(pointers.isEmpty() ? "{}" : "}");
    }

    private static ModelRequest canonical(ModelRequest request) {
        return new ModelRequest(
                request.id(),
                request.model(),
                canonical(request.messages(), "messages"),
                canonical(request.parameters(), "parameters"),
                request.policy(),
                request.effects().stream().map(CanonicalForm::canonical).toList(),
                request.createdAt(),
                request.deadline(),
                request.metadata());
    }

    private static EffectTemplate canonical(EffectTemplate effect) {
        return new EffectTemplate(
                effect.name(),
                effect.route(),
                effect.stage(),
                canonical(effect.payload(), "the payload of an effect"),
                effect.pointers(),
                effect.compensation()
                        .map(undo -> new Compensation(
                                undo.route(), canonical(undo.payload(), "the payload of a compensation"))),
                effect.pivot());
    }

    private static String canonical(String json, String what) {
        return CanonicalJson.text(StrictJson.parse(json, what));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
