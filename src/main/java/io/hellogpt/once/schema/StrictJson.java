package io.hellogpt.once.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads JSON that strangers wrote. Refused: anything but UTF-8, a name twice in one object, anything after the value, deep
 * nesting, very long numbers. Numbers keep every digit.
 */
final class StrictJson {
    static final int MAX_DEPTH = 100;
    static final int MAX_NUMBER_LENGTH = 200;
    static final int MAX_NAME_LENGTH = 10_000;

    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(MAX_NUMBER_LENGTH)
                            .maxNameLength(MAX_NAME_LENGTH)
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    // Else a message with the source in it, which may be a prompt.
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private StrictJson() {}

    /**
     * Parses bytes.
     *
     * @throws Refusal when they are not one JSON value in UTF-8
     */
    static JsonNode parse(byte[] bytes) {
        try {
            return parse(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString(),
                    "the value");
        } catch (CharacterCodingException e) {
            throw Refusal.malformed("the value is not UTF-8");
        }
    }

    /** Parses a text; {@code what} names it in the refusal. */
    static JsonNode parse(String text, String what) {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node == null || node.isMissingNode()) {
                throw Refusal.malformed(what + " is empty where JSON is expected");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw Refusal.malformed("%s is not JSON that is accepted here (line %d, column %d)"
                    .formatted(
                            what,
                            e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                            e.getLocation() == null ? 0 : e.getLocation().getColumnNr()));
        } catch (ArithmeticException | NumberFormatException e) {
            throw Refusal.malformed(what + " has a number that is out of range");
        }
    }
}
