package io.hellogpt.once.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.Decoded;
import io.hellogpt.once.schema.RecordRewriter;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.schema.RequestEncoder;
import io.hellogpt.once.topology.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Replaces what people and models wrote by digests: HMAC-SHA256 under a key made for this one capture and kept nowhere, so that a
 * digest can neither be guessed at nor be compared between captures. The same text becomes the same digest, inside JSON leaf by
 * leaf, so that a JSON pointer into a redacted answer finds the redacted value, and what was the same request still is.
 *
 * <p>What stays: ids, models, policies, routes, names of effects and of JSON fields, times, counts, costs.
 */
final class Redactor {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int DIGEST_BYTES = 12;
    private static final Set<String> JSON_FIELDS = Set.of("messages", "parameters", "payload", "parameters_sent");
    private static final Set<String> TEXT_FIELDS =
            Set.of("metadata", "message", "detail", "reference", "reason", "actor", "provider_request_id");

    /** Numbers that only steer the model are no secret, and the role says who speaks. */
    private static final Set<String> KEPT_LEAVES = Set.of("role");

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final RequestDecoder decoder;
    private final Mac mac;

    /** @param decoder reads requests in whatever encoding they came */
    Redactor(RequestDecoder decoder) {
        this.decoder = decoder;
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** An input with everything in it replaced. */
    CapturedRecord redact(CapturedRecord input) {
        List<CapturedRecord.Entry> headers = input.headers().stream()
                .filter(header -> header.name().startsWith("once-"))
                .toList();
        boolean request = input.topic().equals(Topics.REQUESTS) || input.topic().equals(Topics.REQUESTS_REROUTED);
        if (input.value() == null) {
            return input.with(digest(input.key()), null, headers);
        }
        return request ? request(input, headers) : input.with(input.key(), record(input.value()), headers);
    }

    private CapturedRecord request(CapturedRecord input, List<CapturedRecord.Entry> headers) {
        return switch (decoder.decode(input.value())) {
            case Decoded.Request(var request, var fingerprint) -> {
                byte[] id = request.id().value().getBytes(StandardCharsets.UTF_8);
                byte[] key = Arrays.equals(id, input.key()) ? id : digest(input.key());
                yield input.with(key, record(RequestEncoder.avro(request)), headers);
            }
            case Decoded.Unreadable unreadable -> input.with(digest(input.key()), digest(input.value()), headers);
        };
    }

    private byte[] record(byte[] value) {
        try {
            byte[][] body = new byte[1][];
            return RecordRewriter.rewrite(value, (record, field, before) -> {
                if (before instanceof ByteBuffer bytes) {
                    body[0] = bytes(bytes);
                    return ByteBuffer.wrap(body[0]);
                }
                String text = (String) before;
                if (field.equals("body_sha256")) {
                    return sha256(body[0]);
                }
                return JSON_FIELDS.contains(field)
                        ? json(text, !field.startsWith("parameters"))
                        : TEXT_FIELDS.contains(field) ? digest(text) : text;
            });
        } catch (CodecException unreadable) {
            return digest(value);
        }
    }

    private byte[] bytes(ByteBuffer buffer) {
        byte[] before = new byte[buffer.remaining()];
        buffer.duplicate().get(before);
        return json(new String(before, StandardCharsets.UTF_8), true).getBytes(StandardCharsets.UTF_8);
    }

    /** JSON leaf by leaf; what is no JSON as a whole. */
    private String json(String text, boolean numbers) {
        try {
            JsonNode parsed = JSON.readTree(text);
            return parsed.isContainerNode() ? leaf("", parsed, numbers).toString() : digest(text);
        } catch (JsonProcessingException notJson) {
            return digest(text);
        }
    }

    private JsonNode leaf(String name, JsonNode node, boolean numbers) {
        if (node.isObject()) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            node.properties()
                    .forEach(field -> object.set(field.getKey(), leaf(field.getKey(), field.getValue(), numbers)));
            return object;
        }
        if (node.isArray()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            node.forEach(item -> array.add(leaf(name, item, numbers)));
            return array;
        }
        if (node.isTextual()) {
            return KEPT_LEAVES.contains(name) ? node : JsonNodeFactory.instance.textNode(text(node.asText(), numbers));
        }
        return node.isNumber() && numbers
                ? JsonNodeFactory.instance.numberNode(
                        ByteBuffer.wrap(hmac(node.asText().getBytes(StandardCharsets.UTF_8)))
                                        .getInt()
                                & 0x3FFFFFFF)
                : node;
    }

    /** An answer may hold JSON as text, as the arguments of a tool call are. */
    private String text(String text, boolean numbers) {
        return text.startsWith("{") || text.startsWith("[") ? json(text, numbers) : digest(text);
    }

    private String digest(String text) {
        return "digest-" + HexFormat.of().formatHex(hmac(text.getBytes(StandardCharsets.UTF_8)), 0, DIGEST_BYTES);
    }

    private byte[] digest(byte[] bytes) {
        return bytes == null
                ? null
                : ("digest-" + HexFormat.of().formatHex(hmac(bytes), 0, DIGEST_BYTES)).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] hmac(byte[] bytes) {
        return mac.doFinal(bytes);
    }

    private static String sha256(byte[] body) {
        try {
            return HexFormat.of()
                    .formatHex(java.security.MessageDigest.getInstance("SHA-256")
                            .digest(body == null ? new byte[0] : body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
