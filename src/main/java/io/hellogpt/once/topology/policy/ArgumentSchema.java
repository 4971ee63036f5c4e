package io.hellogpt.once.topology.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The JSON Schema (2020-12, unless it says otherwise) of a tool's arguments. Reads nothing but its own text: a reference to anything
 * outside it is refused when it is made, since a decision must be the same on every machine and in every replay.
 */
final class ArgumentSchema {
    private static final int ERRORS_TOLD = 3;

    private final Schema schema;

    private ArgumentSchema(Schema schema) {
        this.schema = schema;
    }

    /** @throws IllegalArgumentException when it is no schema, or refers to something outside itself */
    static ArgumentSchema of(JsonNode schema) {
        outwardReference(schema).ifPresent(reference -> {
            throw new IllegalArgumentException("refers to " + reference
                    + "; only references within the schema (#...) are followed, nothing is fetched");
        });
        requireValid(schema);
        try {
            Schema compiled = SchemaRegistry.withDefaultDialect(
                            SpecificationVersion.DRAFT_2020_12,
                            registry -> registry.schemaLoader(loader -> loader.block(iri -> true))
                                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                                            .formatAssertionsEnabled(true)
                                            .locale(Locale.ROOT)
                                            .build()))
                    .getSchema(schema.toString(), InputFormat.JSON);
            compiled.initializeValidators();
            return new ArgumentSchema(compiled);
        } catch (SchemaException broken) {
            throw new IllegalArgumentException("is no valid JSON Schema: " + broken.getMessage(), broken);
        }
    }

    /** By the schema of its dialect: a keyword with a wrong value would check nothing. */
    private static void requireValid(JsonNode schema) {
        String named = schema.path("$schema")
                .asText(SpecificationVersion.DRAFT_2020_12.getDialectId())
                .replaceAll("#$", "");
        SpecificationVersion dialect = Arrays.stream(SpecificationVersion.values())
                .filter(known -> known.getDialectId().replaceAll("#$", "").equals(named))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("is of an unknown dialect, " + named));
        List<Error> errors = SchemaRegistry.withDefaultDialect(dialect)
                .getSchema(SchemaLocation.of(dialect.getDialectId()))
                .validate(schema.toString(), InputFormat.JSON);
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException("is no valid JSON Schema: " + told(errors.getFirst()));
        }
    }

    /** Any of them, also one that no instance would ever lead to. */
    private static Optional<String> outwardReference(JsonNode schema) {
        for (String keyword : List.of("$ref", "$dynamicRef", "$recursiveRef")) {
            for (JsonNode reference : schema.findValues(keyword)) {
                if (reference.isTextual() && !reference.textValue().startsWith("#")) {
                    return Optional.of(reference.textValue());
                }
            }
        }
        return Optional.empty();
    }

    /** What is wrong with the arguments: where, and which keyword they break; none of their values. */
    Optional<String> violation(JsonNode arguments) {
        List<Error> errors = schema.validate(arguments.toString(), InputFormat.JSON);
        return errors.isEmpty()
                ? Optional.empty()
                : Optional.of(errors.stream()
                        .limit(ERRORS_TOLD)
                        .map(ArgumentSchema::told)
                        .collect(Collectors.joining(", ")));
    }

    private static String told(Error error) {
        String where = error.getInstanceLocation().toString();
        String what = "required".equals(error.getKeyword()) ? " of " + error.getProperty() : "";
        return (where.isEmpty() ? "they" : Printable.name(where)) + " break '" + error.getKeyword() + "'" + what;
    }
}
