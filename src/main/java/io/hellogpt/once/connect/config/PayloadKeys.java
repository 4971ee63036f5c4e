package io.hellogpt.once.connect.config;

import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/** What a route's payloads must look like. */
final class PayloadKeys {
    static final String SCHEMA = "payload.schema";

    private PayloadKeys() {}

    static void define(ConfigDef def) {
        new KeyGroup(def, "Payload")
                .optional(
                        SCHEMA,
                        Type.STRING,
                        "JSON Schema that payloads are held to before they are sent: the schema itself, or a config provider's"
                                + " reference to it, such as ${directory:/etc/once/schemas:signing.json}. Draft 4 to 2020-12, by"
                                + " its $schema; 2020-12 without, in which format asserts nothing: use pattern. $ref may point into the schema itself only. A payload that"
                                + " does not match is FAILED with the place and the keyword, nothing sent.");
    }

    static Optional<PayloadSchema> read(RouteSettings settings) {
        return settings.text(SCHEMA).map(text -> {
            try {
                return PayloadSchema.parse(text);
            } catch (ConfigException e) {
                throw settings.refused(SCHEMA, e.getMessage());
            }
        });
    }
}
