package io.hellogpt.once.topology.policy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A JSON object with places to fill.
 *
 * @param payload what is there from the beginning; not changed
 * @param pointers JSON pointer (RFC 6901) of the place to JSON pointer of what goes there
 */
record PayloadTemplate(ObjectNode payload, Map<String, String> pointers) {
    PayloadTemplate {
        // In one order everywhere: of two places one may lie within the other.
        pointers = new TreeMap<>(pointers);
    }

    /** The first part that {@code source} does not have. */
    Optional<String> missingIn(JsonNode source) {
        return pointers.values().stream()
                .filter(pointer ->
                        source.at(pointer).isMissingNode() || source.at(pointer).isNull())
                .findFirst();
    }

    /** The object with every place filled from {@code source}, which has them all. */
    ObjectNode filledFrom(JsonNode source) {
        ObjectNode filled = payload.deepCopy();
        pointers.forEach((place, part) -> put(filled, JsonPointer.compile(place), source.at(part)));
        return filled;
    }

    private static void put(ObjectNode payload, JsonPointer at, JsonNode part) {
        ObjectNode parent = payload;
        JsonPointer rest = at;
        while (!rest.tail().matches()) {
            JsonNode child = parent.get(rest.getMatchingProperty());
            parent = child instanceof ObjectNode known ? known : parent.putObject(rest.getMatchingProperty());
            rest = rest.tail();
        }
        parent.set(rest.getMatchingProperty(), part);
    }
}
