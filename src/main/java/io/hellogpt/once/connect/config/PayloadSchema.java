package io.hellogpt.once.connect.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;

/** A JSON Schema that reaches for nothing outside of itself. Safe for several threads. */
public final class PayloadSchema {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");
    private static final int MAX_PLACE = 200;

    private final Schema schema;

    private PayloadSchema(Schema schema) {
        this.schema = schema;
    }

    /** @throws ConfigException when it is no JSON Schema, or refers to anything but itself */
    static PayloadSchema parse(String text) {
        JsonNode node;
        try {
            node = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new ConfigException("not JSON, at line " + e.getLocation().getLineNr() + " column "
                    + e.getLocation().getColumnNr());
        }
        if (!node.isObject()) {
            throw new ConfigException("a JSON Schema is an object");
        }
        JsonNode dialect = node.path("$schema");
        if (!dialect.isMissingNode()
                && SpecificationVersion.fromDialectId(dialect.asText()).isEmpty()) {
            throw new ConfigException("its $schema is none of JSON Schema draft 4, 6, 7, 2019-09 and 2020-12");
        }
        refuseOutside(node);
        checkAgainstItsDialect(node, dialect);
        try {
            Schema schema = registry().getSchema(node);
            schema.initializeValidators();
            return new PayloadSchema(schema);
        } catch (SchemaException | IllegalArgumentException e) {
            throw new ConfigException("not a usable JSON Schema: " + e.getMessage());
        }
    }

    /** The dialects come with the library; nothing is ever fetched. */
    private static SchemaRegistry registry() {
        return SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                builder -> builder.schemaRegistryConfig(
                                SchemaRegistryConfig.builder().failFast(true).build())
                        .schemaLoader(loader -> loader.fetchRemoteResources(false)));
    }

    private static void refuseOutside(JsonNode node) {
        node.properties().forEach(field -> {
            String target = field.getValue().asText();
            if (REFERENCES.contains(field.getKey()) && field.getValue().isTextual() && !target.startsWith("#")) {
                throw new ConfigException("refers to '" + target
                        + "', and nothing outside of the schema is read; put it below $defs and refer to #/$defs/...");
            }
        });
        node.forEach(PayloadSchema::refuseOutside);
    }

    private static void checkAgainstItsDialect(JsonNode node, JsonNode dialect) {
        String id = dialect.asText(SpecificationVersion.DRAFT_2020_12.getDialectId());
        List<Error> errors =
                registry().getSchema(com.networknt.schema.SchemaLocation.of(id)).validate(node);
        if (!errors.isEmpty()) {
            throw new ConfigException(
                    "not a JSON Schema: at " + errors.getFirst().getInstanceLocation() + ", "
                            + errors.getFirst().getMessage());
        }
    }

    /** Where and by which keyword {@code payload} fails; empty when it matches. Says nothing of what stands there. */
    public Optional<String> mismatch(JsonNode payload) {
        return schema.validate(payload).stream().findFirst().map(error -> {
            String place = error.getInstanceLocation().toString();
            String shown = place.isEmpty() ? "the top" : place;
            return "at " + (shown.length() > MAX_PLACE ? shown.substring(0, MAX_PLACE) : shown) + ", keyword "
                    + error.getKeyword();
        });
    }
}
