package io.hellogpt.once.schema;

import java.util.Optional;
import org.apache.avro.Schema;

/** Where the schema of a record in Confluent framing is looked up. Implementations are safe for use by several threads. */
public interface SchemaRegistry {
    /**
     * The schema with this id.
     *
     * @return empty when the registry says there is none, or that it is not an Avro schema that stands alone
     * @throws RegistryUnavailableException when the registry cannot be asked; the record must then wait, not be refused
     */
    Optional<Schema> byId(int id);
}
